#pragma once

#include <stdint.h>

/*
 * A sketch of many values (DDSketch): how many of them are in which bucket. Buckets are as wide as
 * 1/116 of a power of ten, so that a value is known to 1 % (0.993 %), and a value of ten times the
 * size is 116 buckets further: units of 10^-n need no other buckets. Numbers of buckets are made
 * with whole numbers only, so they are the same everywhere.
 */
enum { PK_BUCKETS_A_DECADE = 116, PK_BUCKET_MOST = 40 * PK_BUCKETS_A_DECADE };

/* 0 for 0; from 1 for positive values, from -1 down for negative ones. */
int64_t pk_bucket(int64_t value);
/* The bucket of the values times 10^decades. */
int64_t pk_bucket_shift(int64_t bucket, int decades);
/* A value that differs from every value of the bucket by at most 1 %. */
double pk_bucket_value(int64_t bucket);
