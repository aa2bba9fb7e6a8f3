#pragma once
/* What Swift cannot see: macros and variadic functions. Everything here has the prefix ccb_.
   Results are those of the library: OPUS_OK and VPX_CODEC_OK are 0. */
#include <opus/opus.h>
#include <stdint.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vpx_encoder.h>

/* opus_encoder_ctl with one number in: the OPUS_SET_… requests. */
int ccb_opus_encoder_set(OpusEncoder *encoder, int request, int32_t value);
/* opus_encoder_ctl with one number out: the OPUS_GET_… requests. */
int ccb_opus_encoder_get(OpusEncoder *encoder, int request, int32_t *value);
/* Forgets the encoder's and the decoder's past. */
int ccb_opus_encoder_reset(OpusEncoder *encoder);
int ccb_opus_decoder_reset(OpusDecoder *decoder);

/* The library's defaults of a VP8 encoder. */
int ccb_vp8_encoder_defaults(vpx_codec_enc_cfg_t *configuration);
/* vpx_codec_enc_init and vpx_codec_dec_init: macros that carry the version of the headers. */
int ccb_vp8_encoder_open(vpx_codec_ctx_t *context, const vpx_codec_enc_cfg_t *configuration);
int ccb_vp8_decoder_open(vpx_codec_ctx_t *context);
/* vpx_codec_control with one number in. */
int ccb_vpx_control(vpx_codec_ctx_t *context, int request, int value);
/* Whether the decoder's last picture is damaged. */
int ccb_vp8_decoder_is_corrupted(vpx_codec_ctx_t *context);
/* Width and height that a key frame names; another result than 0 when it is none. */
int ccb_vp8_peek_size(const uint8_t *bytes, unsigned int count, unsigned int *width, unsigned int *height);
