import type {TokenKind} from '../../firewall/expression/grammar/token.ts';

/** How a piece of a row looks: as a part of an expression, or for what it says. */
export type Look = 'plain' | 'dim' | 'bold' | 'warning' | TokenKind;

/** A part of a row that can be drawn as it is. */
export type Piece = {readonly text: string; readonly look: Look};

/** A row of a text, that fits. */
export type Row = readonly Piece[];
