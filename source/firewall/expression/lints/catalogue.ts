import {conditionLints} from './conditions.ts';
import {errorLints} from './errors.ts';
import {fieldValueLints} from './field-values.ts';
import {headerHints} from './header-hints.ts';
import type {Lint} from './lint.ts';
import {accountListLints} from './lists.ts';
import {nameLints} from './names.ts';
import {notationLints} from './notation.ts';
import {patternLints} from './patterns.ts';
import {resultLints} from './results.ts';
import {styleLints} from './style.ts';
import {valueHints} from './value-hints.ts';
import {valueLints} from './values.ts';

const lints = [
	...errorLints,
	...notationLints,
	...nameLints,
	...conditionLints,
	...resultLints,
	...fieldValueLints,
	...accountListLints,
	...valueHints,
	...headerHints,
	...valueLints,
	...patternLints,
	...styleLints,
] as const;

/** The code of a lint. */
export type LintCode = (typeof lints)[number]['code'];

type CodeOf<Level extends Lint['level']> = Extract<(typeof lints)[number], {level: Level}>['code'];
export type ErrorCode = CodeOf<'error'>;
export type WarningCode = CodeOf<'warning'>;
export type HintCode = CodeOf<'hint'>;

/** Lists all lints, by code. The checker itself doesn't load them. */
export const listLints = (): readonly Lint[] =>
	lints.toSorted((one, other) => (one.code < other.code ? -1 : 1));

/** Finds a lint by its code, in upper or lower case. */
export const findLint = (code: string): Lint | undefined =>
	lints.find(lint => lint.code === code.toUpperCase());
