// GNU libmicrohttpd. Swift sees its enums as closed ones and cannot call its variadic functions, hence the inline
// functions; and what Swift's Glibc hides of the kernel's socket calls that an HTTP server needs.
#pragma once
#include <microhttpd.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

// glibc declares it for _GNU_SOURCE only, with which <sys/select.h> would differ from the one in Swift's Glibc.
extern int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags);

static const ssize_t otmhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t otmhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

static inline enum MHD_Result otmhd_result(int yes) { return yes ? MHD_YES : MHD_NO; }

static inline int otmhd_is_sent(enum MHD_RequestTerminationCode code)
{
    return code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
}

static inline int otmhd_is_start(enum MHD_ConnectionNotificationCode code)
{
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

// The end of the connection ends the answer's body: no length, no chunks.
static inline void otmhd_end_by_closing(struct MHD_Response *response)
{
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

// What a daemon calls; each with `context` as its first argument.
struct otmhd_callbacks {
    MHD_AccessHandlerCallback access;
    void *(*uri)(void *context, const char *uri, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *context;
};

// A daemon of one thread with its own epoll and no listening socket: its connections come by MHD_add_connection.
static inline struct MHD_Daemon *otmhd_start(
    const struct otmhd_callbacks *callbacks, unsigned int connections, unsigned int idle_seconds,
    size_t connection_memory)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME,
        0, NULL, NULL, callbacks->access, callbacks->context,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->uri, callbacks->context,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
}

static inline int otmhd_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// What the connection callback has left in `*socket_context`.
static inline void *otmhd_socket_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

// Bytes that have arrived on a socket and were not read yet; -1 when it cannot be asked.
static inline int otmhd_unread(int fd)
{
    int count = 0;
    return ioctl(fd, FIONREAD, &count) == 0 ? count : -1;
}

static inline int otmhd_epoll(int epoll, int operation, int fd, uint32_t events, uint64_t token)
{
    struct epoll_event event = { .events = events, .data = { .u64 = token } };
    return epoll_ctl(epoll, operation, fd, &event);
}

// Waits for at most `capacity` (up to 64) events; their flags and tokens are written side by side.
static inline int otmhd_epoll_wait(int epoll, uint32_t *events, uint64_t *tokens, int capacity, int timeout)
{
    struct epoll_event found[64];
    int count = epoll_wait(epoll, found, capacity < 64 ? capacity : 64, timeout);
    for (int i = 0; i < count; i++) {
        events[i] = found[i].events;
        tokens[i] = found[i].data.u64;
    }
    return count;
}
