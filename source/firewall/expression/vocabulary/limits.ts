/**
 * Maximum length of an expression, in characters. Whether the service counts characters or bytes of UTF-8 is
 * not documented; a migration counts bytes.
 */
export const maxExpressionLength = 4096;
