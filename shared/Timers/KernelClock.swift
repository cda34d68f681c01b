import CLinux

/// What the kernel knows about the machine's clock: adjtimex(2).
public enum KernelClock {
    /// Whether something (chrony, systemd-timesyncd, ntpd) keeps the clock in step with the world.
    public static var isSynchronised: Bool { opentask_clock_is_synchronised() != 0 }
}
