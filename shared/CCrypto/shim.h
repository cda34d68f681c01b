// OpenSSL libcrypto: macros and variadic calls get inline functions here.
#pragma once
#include <openssl/evp.h>
#include <openssl/rand.h>
