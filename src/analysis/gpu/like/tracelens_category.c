/* What TraceLens calls the kinds of operators. */
#include <string.h>

#include "analysis/gpu/like/tracelens_internal.h"
#include "base/alloc.h"
#include "base/text/str.h"

/* Operators of each category, between blanks. */
static const struct {
	const char *category, *names;
} known[] = {
	{"GEMM", " aten::mm aten::addmm aten::bmm aten::baddbmm aten::_scaled_mm "
		 "trtllm::cublas_scaled_mm bitsandbytes::int8_linear_matmul tex_ts::te_gemm_ts "
		 "vllm::gemm_with_dynamic_quant "},
	{"CONV_fwd", " aten::convolution aten::miopen_convolution aten::cudnn_convolution "
		     "ConvBias_ ConvBiasReLU_ "},
	{"CONV_bwd", " aten::convolution_backward ConvBias_Backward ConvBiasReLU_Backward "},
	{"SDPA_fwd", " FlashAttnFunc flash_attn::_flash_attn_forward "
		     "flash_attn::_flash_attn_varlen_forward "
		     "aten::_scaled_dot_product_cudnn_attention "
		     "aten::_scaled_dot_product_efficient_attention "
		     "aten::_scaled_dot_product_flash_attention aiter::_flash_attn_forward "
		     "aiter::wrapper_fmha_v3_fwd aiter::mha_fwd aiter::fmha_v3_fwd "
		     "flash_attn_3::fwd aten::_efficient_attention_forward "},
	{"SDPA_bwd", " flash_attn::_flash_attn_backward flash_attn::_flash_attn_varlen_backward "
		     "aiter::_flash_attn_backward aiter::wrapper_fmha_v3_bwd aiter::mha_bwd "
		     "FlashAttnFuncBackward FusedAttnFuncBackward "
		     "aten::_scaled_dot_product_cudnn_attention_backward "
		     "aten::_scaled_dot_product_efficient_attention_backward "
		     "aten::_scaled_dot_product_flash_attention_backward "
		     "aten::_efficient_attention_backward "},
	{"InferenceAttention", " vllm::unified_attention_with_output "
			       "_C_cache_ops::reshape_and_cache_flash aiter::mha_batch_prefill "
			       "sglang::store_cache "},
	{"elementwise", " aten::copy aten::copy_ aten::clamp_min aten::clamp_min_ aten::clamp_max "
			"aten::clamp_max_ aten::sigmoid aten::rsqrt aten::silu aten::neg aten::pow "
			"aten::div aten::div_ aten::mul aten::mul_ aten::add aten::add_ "
			"aten::sigmoid_backward aten::threshold_backward "
			"sgl_kernel::silu_and_mul aten::upsample_nearest1d "
			"aten::upsample_nearest2d "},
	{"reduce", " aten::sum aten::mean aten::max aten::min aten::norm aten::linalg_norm "
		   "aten::std aten::var aten::logsumexp aten::cumsum aten::cumprod aten::amin "
		   "aten::amax "},
	{"NORM_fwd", " aten::batch_norm aten::layer_norm aten::group_norm aten::instance_norm "
		     "aten::_fused_rms_norm aiter::_groupnorm_run "},
	{"NORM_bwd", " aten::batch_norm_backward aten::layer_norm_backward "
		     "aten::group_norm_backward aten::instance_norm_backward "
		     "aten::rms_norm_backward aten::_fused_rms_norm_backward "},
	{"RMSNorm", " aiter::add_rmsnorm aiter::rms_norm aiter::rmsnorm "
		    "aiter::rmsnorm2d_fwd_with_add_ck "},
	{"RoPE_fwd", " FusedRoPEFunc sgl_kernel::rotary_embedding "},
	{"RoPE_bwd", " FusedRoPEFuncBackward "},
	{"CrossEntropy_fwd", " CrossEntropyFunction "},
	{"CrossEntropy_bwd", " CrossEntropyFunctionBackward "},
};

static bool lists(const char *names, const char *name, size_t len)
{
	for (const char *at = names; (at = strstr(at, " ")) != NULL; at++)
		if (strncmp(at + 1, name, len) == 0 && at[1 + len] == ' ')
			return true;
	return false;
}

/* "aten::native_batch_norm" is as "aten::batch_norm". */
static void simplify(struct pk_buf *buf, const char *name)
{
	static const char *const variants[] = {"native_", "miopen_", "cudnn_"};
	static const char space[] = "aten::";
	const char *rest = name + strlen(space);

	if (pk_starts_with(name, space) && strstr(rest, "_norm")) {
		for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++)
			if (pk_starts_with(rest, variants[i])) {
				pk_buf_addf(buf, "%s%s", space, rest + strlen(variants[i]));
				return;
			}
	}
	pk_buf_adds(buf, name);
}

/* The category of an operator by its name, or else by its first kernel: "GEMM", "elementwise". */
static const char *pk_tracelens_category(const char *name, const char *first_kernel)
{
	static const char *const by_kernel[] = {"elementwise", "reduce", "multi_tensor_apply"};
	PK_BUF_AUTO simple = PK_BUF_INIT;

	simplify(&simple, name);
	for (size_t i = 0; simple.len && i < sizeof(known) / sizeof(*known); i++)
		if (lists(known[i].names, simple.data, simple.len))
			return known[i].category;
	if (pk_starts_with(name, "triton"))
		return "triton";
	if (pk_starts_with(name, "record_param_comms"))
		return "record_param_comms";
	for (size_t i = 0; i < sizeof(by_kernel) / sizeof(*by_kernel); i++)
		if (pk_starts_with(first_kernel, "void at::native") &&
		    strstr(first_kernel, by_kernel[i]))
			return by_kernel[i];
	return "other";
}

static const char *category_of(const struct pk_tracelens *s, const struct pk_tracelens_work *first,
			       bool calls)
{
	const char *name = pk_launches_name(&s->launches, first->launcher);

	if (!calls || s->launches.activity[first->launcher] == PK_ACT_OP)
		return pk_tracelens_category(name, pk_launches_name(&s->launches, first->span));
	return strcasestr(name, "graphlaunch") ? "graph" : "runtime";
}

uint32_t *pk_tracelens_categories(struct pk_tracelens *s, bool calls)
{
	uint32_t *category = pk_calloc(s->profile->span.count, sizeof(*category));

	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t launcher = s->work[i].launcher;

		if (launcher && !category[launcher])
			category[launcher] =
				pk_tracelens_keep(s, category_of(s, &s->work[i], calls));
	}
	return category;
}
