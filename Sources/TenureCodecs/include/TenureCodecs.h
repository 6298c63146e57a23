// The decoders of zlib, brotli and zstd for Swift, which can't call a macro: zlib's `inflateInit2`
// has a function of its own here.
#pragma once
#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

int tenure_inflate_init(z_stream *stream, int window_bits);
