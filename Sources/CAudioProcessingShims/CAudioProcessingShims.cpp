#include "CAudioProcessingShims.h"

#include <cerrno>
#include <cmath>
#include <memory>
#include <new>

#if __has_include(<webrtc/modules/audio_processing/include/audio_processing.h>)
#define CCB_GENERATION 0
#include <webrtc/modules/audio_processing/include/audio_processing.h>
#else
#define CCB_GENERATION 1
#include <modules/audio_processing/include/audio_processing.h>
#endif

using webrtc::AudioProcessing;
using webrtc::StreamConfig;

struct ccb_audio_processor {
#if CCB_GENERATION == 0
    std::unique_ptr<AudioProcessing> processing;
#else
    rtc::scoped_refptr<AudioProcessing> processing;
#endif
    StreamConfig format{48000, 1};
    // Of its own for each direction, which may be on a thread of its own.
    float far_end[CCB_AUDIO_PROCESSING_SAMPLES];
    float near_end[CCB_AUDIO_PROCESSING_SAMPLES];
};

namespace {

void to_float(const int16_t *samples, float *result) {
    for (int i = 0; i < CCB_AUDIO_PROCESSING_SAMPLES; i++) result[i] = samples[i] / 32768.0f;
}

bool make(ccb_audio_processor &processor, bool suppresses_noise) {
#if CCB_GENERATION == 0
    webrtc::Config options;
    // The delay that it is told need not be exact, and the echo path may be long, as with a loudspeaker.
    options.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(true));
    options.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
    processor.processing.reset(AudioProcessing::Create(options));
    if (!processor.processing) return false;
    AudioProcessing &processing = *processor.processing;
    if (processing.high_pass_filter()->Enable(true) != 0) return false;
    if (processing.echo_cancellation()->set_suppression_level(webrtc::EchoCancellation::kHighSuppression) != 0) return false;
    if (processing.echo_cancellation()->Enable(true) != 0) return false;
    if (processing.noise_suppression()->Enable(suppresses_noise) != 0) return false;
#else
    processor.processing = rtc::scoped_refptr<AudioProcessing>(webrtc::AudioProcessingBuilder().Create());
    if (!processor.processing) return false;
    AudioProcessing::Config config;
    config.high_pass_filter.enabled = true;
    config.echo_canceller.enabled = true;
    config.noise_suppression.enabled = suppresses_noise;
    config.noise_suppression.level = AudioProcessing::Config::NoiseSuppression::kModerate;
    processor.processing->ApplyConfig(config);
#endif
    return true;
}

}  // namespace

int ccb_audio_processing_generation(void) { return CCB_GENERATION; }

int ccb_audio_processor_create(int suppresses_noise, ccb_audio_processor **result) {
    *result = nullptr;
    std::unique_ptr<ccb_audio_processor> processor(new (std::nothrow) ccb_audio_processor());
    if (!processor) return -ENOMEM;
    if (!make(*processor, suppresses_noise != 0)) return -EINVAL;
    *result = processor.release();
    return 0;
}

int ccb_audio_processor_far_end(ccb_audio_processor *processor, const int16_t *samples) {
    to_float(samples, processor->far_end);
    float *channels[] = {processor->far_end};
    const int code = processor->processing->ProcessReverseStream(channels, processor->format, processor->format, channels);
    return code == 0 ? 0 : -EINVAL;
}

int ccb_audio_processor_near_end(ccb_audio_processor *processor, int delay_ms, int16_t *samples) {
    to_float(samples, processor->near_end);
    float *channels[] = {processor->near_end};
    AudioProcessing &processing = *processor->processing;
    // A delay out of its range is clamped by the library, which says so by a code that is no error.
    processing.set_stream_delay_ms(delay_ms);
    if (processing.ProcessStream(channels, processor->format, processor->format, channels) != 0) return -EINVAL;
    for (int i = 0; i < CCB_AUDIO_PROCESSING_SAMPLES; i++) {
        const float scaled = std::round(processor->near_end[i] * 32768.0f);
        samples[i] = static_cast<int16_t>(scaled > 32767.0f ? 32767.0f : scaled < -32768.0f ? -32768.0f : scaled);
    }
    return 0;
}

void ccb_audio_processor_destroy(ccb_audio_processor *processor) { delete processor; }
