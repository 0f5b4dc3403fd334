//! Editing with the engine’s own lexer behind the text.
