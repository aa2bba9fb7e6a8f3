#pragma once
/* libwebsockets 4.3.5 makes an eventfd for each context and never closes it: one more after every attempt to connect. It
   tells its number nowhere, so that it is recorded while a context is made. */

extern _Thread_local int ccb_records_eventfd;
extern _Thread_local int ccb_recorded_eventfd;
