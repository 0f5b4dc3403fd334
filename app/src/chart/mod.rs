//! Drawing functions, generic over the backend of plotters, with caption and table twin.
