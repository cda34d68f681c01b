// Instants, days and their words, in the user's zone (domain X, T-13). Pure: now and zone are parameters.
// An instant is a number of milliseconds since 1970-01-01T00:00:00Z; the zone is an IANA name.

const minute = 60_000;
const day = 24 * 60 * minute;

/** A function that gives the formatter of a zone. Making one takes longer than all its uses on one page. */
function formatters(options) {
  const made = new Map();
  return (zone) => {
    if (!made.has(zone)) made.set(zone, new Intl.DateTimeFormat("en-US", { timeZone: zone, ...options }));
    return made.get(zone);
  };
}

const wallFormatter = formatters({
  hourCycle: "h23", weekday: "short", year: "numeric", month: "numeric", day: "numeric", hour: "numeric",
  minute: "numeric", second: "numeric",
});
const weekdayFormatter = formatters({ weekday: "long" });
const dateFormatter = formatters({ month: "long", day: "numeric" });
const fullFormatter = formatters({ dateStyle: "full", timeStyle: "short" });

/** The wall clock at `instant`: year, month (1-12), day, hour, minute, second, and weekday ("Wed"). */
export function wallClock(instant, zone) {
  const wall = {};
  for (const { type, value } of wallFormatter(zone).formatToParts(instant)) {
    if (type === "weekday") wall.weekday = value;
    else if (type !== "literal") wall[type] = Number(value);
  }
  return wall;
}

/** The wall clock read as if it were UTC: makes differences of local dates and times plain subtraction. */
function wallAsUTC(instant, zone) {
  const wall = wallClock(instant, zone);
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
}

/** Days from the local date of `from` to the local date of `to`; negative when `to` is earlier. */
export function daysBetween(from, to, zone) {
  return Math.floor(wallAsUTC(to, zone) / day) - Math.floor(wallAsUTC(from, zone) / day);
}

/**
 * The instant of a local time, given as if it were UTC.
 * A time that does not exist moves forward by the gap; one that exists twice is the first.
 */
function instantOfWall(wall, zone) {
  // A zone changes its offset at most once in these two days, so one of the two offsets is in force.
  const offsets = [wall - day, wall + day].map((near) => wallAsUTC(near, zone) - near);
  const found = offsets.map((offset) => wall - offset).filter((at) => wallAsUTC(at, zone) === wall);
  return found.length > 0 ? Math.min(...found) : wall - offsets[0];
}

/** The instant of "2026-10-14T09:00" in `zone`, or null when the text is no date and time. */
export function fromInput(text, zone) {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text);
  if (!found) return null;
  const [year, month, date, hour, minutes] = found.slice(1).map(Number);
  return instantOfWall(Date.UTC(year, month - 1, date, hour, minutes), zone);
}

/** `instant` as the value of an `<input type="datetime-local">`. */
export function toInput(instant, zone) {
  return new Date(wallAsUTC(instant, zone)).toISOString().slice(0, 16);
}

/** The next local midnight after `now`: when "today" becomes another day. */
export function nextMidnight(now, zone) {
  const today = Math.floor(wallAsUTC(now, zone) / day) * day;
  return instantOfWall(today + day, zone);
}

/** The full hour at minute 35 and later, else the hour that has begun, by the local minute. */
export function roundHour(instant, zone) {
  const wall = wallClock(instant, zone);
  const start = Math.floor(instant / 1000) * 1000 - (wall.minute * 60 + wall.second) * 1000;
  return wall.minute < 35 ? start : start + 60 * minute;
}

/** Where "+1h" puts a target (S-3, option "60"); null = undated. The server decides, this only draws ahead. */
export function anHourLater(due, now, zone) {
  return due !== null && due > now ? due + 60 * minute : roundHour(now + 60 * minute, zone);
}

/** "9:00 AM". */
export function timeOfDay(instant, zone) {
  const { hour, minute: minutes } = wallClock(instant, zone);
  return `${hour % 12 || 12}:${String(minutes).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const monthAndDay = (instant, zone) => {
  const wall = wallClock(instant, zone);
  return `${months[wall.month - 1]} ${wall.day}`;
};

/**
 * The label of a target (T-13): `day` is null when the time alone says it, `age` counts whole local days of
 * an over-target one (T-14).
 */
export function targetLabel(due, now, zone) {
  const days = daysBetween(now, due, zone);
  const time = timeOfDay(due, zone);
  const name = () => wallClock(due, zone).weekday;
  if (due <= now) {
    const age = -days;
    if (age === 0) return { day: null, time, age };
    if (age === 1) return { day: "Yesterday", time, age };
    return { day: age <= 6 ? name() : monthAndDay(due, zone), time, age };
  }
  if (days === 0) return { day: null, time, age: 0 };
  if (days === 1) return { day: "Tomorrow", time, age: 0 };
  return { day: days <= 6 ? name() : monthAndDay(due, zone), time, age: 0 };
}

/** "3:00 PM", "tomorrow 9:00 AM", "Mon 9:00 AM", "Jan 15 9:00 AM": the form inside a sentence. */
export function until(instant, now, zone) {
  const days = daysBetween(now, instant, zone);
  const time = timeOfDay(instant, zone);
  if (days === 0) return time;
  if (days === 1) return `tomorrow ${time}`;
  if (days >= 2 && days <= 6) return `${wallClock(instant, zone).weekday} ${time}`;
  return `${monthAndDay(instant, zone)} ${time}`;
}

/** "Wednesday" and "October 14": the page's headline. */
export function headline(now, zone) {
  return { weekday: weekdayFormatter(zone).format(now), date: dateFormatter(zone).format(now) };
}

/** The whole truth of an instant, for the tooltip of a short label. */
export const inFull = (instant, zone) => fullFormatter(zone).format(instant);
