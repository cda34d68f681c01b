// GNU libmicrohttpd: its enums are closed in Swift and MHD_start_daemon is variadic, hence the inline functions here.
#pragma once
#include <microhttpd.h>
