import type {Skips} from '../../migration/configuration/exceptions.ts';
import {readSkipped} from '../../migration/configuration/read-edit.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {Dialog} from '../shell/dialog-slice.ts';

/** An exception that is being typed, which takes several dialogs: the one in front, what was typed in it, and the rest. */
export type UnfinishedException = {
	readonly at: 'rules' | 'expression' | 'description';
	readonly text: string;
	/** The rule that is changed, counted from 0; a new exception has none. */
	readonly index?: number | undefined;
	/** Whose rules are skipped. */
	readonly ruleset?: string | undefined;
	readonly skips?: Skips | undefined;
	readonly expression?: string | undefined;
};

/** What a dialog of an exception keeps, beside what is typed in it. */
export const keptOf = (exception: Omit<UnfinishedException, 'text'>): JsonObject =>
	JSON.parse(JSON.stringify(exception)) as JsonObject;

/** The exception that the dialog in front asks about. */
export const exceptionIn = (dialog: Dialog | undefined): UnfinishedException | undefined =>
	dialog?.kind === 'field' && dialog.keeps
		? readUnfinished({...dialog.keeps, text: textOf(dialog.buffer)})
		: undefined;

/** The same out of JSON. */
export function readUnfinished(json: JsonValue | undefined): UnfinishedException | undefined {
	if (!isJsonObject(json)) return undefined;
	const {at, text, index, ruleset, expression} = json;
	const known = (['rules', 'expression', 'description'] as const).find(one => one === at);
	const skips = readSkipped(json.skips);
	if (!known || typeof text !== 'string') return undefined;
	const isWhole =
		known === 'rules'
			? typeof ruleset === 'string'
			: skips !== undefined && (known === 'expression' || typeof expression === 'string');
	if (!isWhole) return undefined;
	return {
		at: known,
		text,
		...(typeof index === 'number' && {index}),
		...(typeof ruleset === 'string' && {ruleset}),
		...(skips && {skips}),
		...(typeof expression === 'string' && {expression}),
	};
}
