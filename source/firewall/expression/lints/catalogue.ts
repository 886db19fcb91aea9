import {conditionLints} from './conditions.ts';
import type {Lint} from './lint.ts';
import {notationLints} from './notation.ts';
import {patternLints} from './patterns.ts';
import {styleLints} from './style.ts';
import {valueLints} from './values.ts';

const lints = [...notationLints, ...valueLints, ...patternLints, ...conditionLints, ...styleLints] as const;

/** The code of a lint. */
export type LintCode = (typeof lints)[number]['code'];

/** Lists all lints, by code. The checker itself doesn't load them. */
export const listLints = (): readonly Lint[] => lints;

/** Finds a lint by its code, in upper or lower case. */
export const findLint = (code: string): Lint | undefined =>
	lints.find(lint => lint.code === code.toUpperCase());
