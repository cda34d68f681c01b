// OpenSSL libcrypto: macros and variadic calls get inline functions here.
#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

// BIO_get_mem_data is a macro.
static inline long opentask_bio_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }
