#include "CCodecShims.h"

#include <vpx/vp8cx.h>
#include <vpx/vp8dx.h>

int ccb_opus_encoder_set(OpusEncoder *encoder, int request, int32_t value) {
    return opus_encoder_ctl(encoder, request, (opus_int32)value);
}

int ccb_opus_encoder_get(OpusEncoder *encoder, int request, int32_t *value) {
    opus_int32 result = 0;
    int error = opus_encoder_ctl(encoder, request, &result);
    *value = result;
    return error;
}

int ccb_opus_encoder_reset(OpusEncoder *encoder) { return opus_encoder_ctl(encoder, OPUS_RESET_STATE); }

int ccb_opus_decoder_reset(OpusDecoder *decoder) { return opus_decoder_ctl(decoder, OPUS_RESET_STATE); }

int ccb_vp8_encoder_defaults(vpx_codec_enc_cfg_t *configuration) {
    return vpx_codec_enc_config_default(vpx_codec_vp8_cx(), configuration, 0);
}

int ccb_vp8_encoder_open(vpx_codec_ctx_t *context, const vpx_codec_enc_cfg_t *configuration) {
    return vpx_codec_enc_init(context, vpx_codec_vp8_cx(), configuration, 0);
}

int ccb_vp8_decoder_open(vpx_codec_ctx_t *context) {
    vpx_codec_dec_cfg_t configuration = {.threads = 1, .w = 0, .h = 0};
    return vpx_codec_dec_init(context, vpx_codec_vp8_dx(), &configuration, 0);
}

int ccb_vpx_control(vpx_codec_ctx_t *context, int request, int value) {
    return vpx_codec_control_(context, request, value);
}

int ccb_vp8_decoder_is_corrupted(vpx_codec_ctx_t *context) {
    int is_corrupted = 0;
    if (vpx_codec_control_(context, VP8D_GET_FRAME_CORRUPTED, &is_corrupted) != VPX_CODEC_OK) return 1;
    return is_corrupted;
}

int ccb_vp8_peek_size(const uint8_t *bytes, unsigned int count, unsigned int *width, unsigned int *height) {
    vpx_codec_stream_info_t information = {.sz = sizeof information};
    int error = vpx_codec_peek_stream_info(vpx_codec_vp8_dx(), bytes, count, &information);
    if (error != VPX_CODEC_OK) return error;
    if (!information.is_kf) return VPX_CODEC_UNSUP_BITSTREAM;
    *width = information.w;
    *height = information.h;
    return VPX_CODEC_OK;
}
