#pragma once

#include "readers/chrome/chrome.h"

/* The process of events written by torch.autograd.profiler without Kineto: a list of spans without
 * categories. */
#define TORCH_LEGACY "CPU functions"

/* Finds the versions of torch that write such files, and sets by which rules they count. is_old:
 * categories are those of torch up to 1.9. */
int torch_tell_version(struct pk_chrome *c, bool is_old);
