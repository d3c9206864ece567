#pragma once

#include "base/text/texts.h"
#include "model/profile.h"

/* Names outlive the profile that they come from. 0 for no text. */
static inline uint32_t pk_gpu_name_text(struct pk_texts *names, const struct pk_profile *p,
					uint32_t text)
{
	return text ? pk_texts_put(names, pk_text(p, text), p->string.len[text]) : 0;
}
