#ifndef CCB_AUDIO_PROCESSING_SHIMS_H
#define CCB_AUDIO_PROCESSING_SHIMS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Echo cancellation by webrtc-audio-processing: one source for both generations, 0.3 (Debian 12) and 1.x (Debian 13).
// Sound is 48 kHz, one channel, in periods of 10 ms: 480 samples. One thread at a time uses a processor, except that
// the far end may come from one thread and the near end from another. Functions return 0 or -errno.

enum { CCB_AUDIO_PROCESSING_SAMPLES = 480 };

typedef struct ccb_audio_processor ccb_audio_processor;

// The generation of the library that this was built with: 0 or 1.
int ccb_audio_processing_generation(void);

// Makes a processor that cancels echo and, if asked, suppresses noise. -ENOMEM, or -EINVAL where the library refuses.
int ccb_audio_processor_create(int suppresses_noise, ccb_audio_processor **result);

// What the speaker is about to play.
int ccb_audio_processor_far_end(ccb_audio_processor *processor, const int16_t *samples);

// What the microphone heard, cleaned in place; `delay_ms` is the time from far end to near end of the same sound.
int ccb_audio_processor_near_end(ccb_audio_processor *processor, int delay_ms, int16_t *samples);

void ccb_audio_processor_destroy(ccb_audio_processor *processor);

#ifdef __cplusplus
}
#endif

#endif
