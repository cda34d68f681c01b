// libcurl: curl_easy_setopt and curl_easy_getinfo are variadic, hence the inline functions here.
#pragma once
#include <curl/curl.h>
