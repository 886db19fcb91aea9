import {check, type InferOutput, number, optional, picklist, pipe, string} from 'valibot';
import {skips} from '../../migration/configuration/exceptions.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import type {JsonObject, JsonValue} from '../../text/json.ts';
import {fields, parseOrUndefined} from '../../text/schema.ts';
import type {Dialog} from '../shell/dialog-slice.ts';

/** An exception that is being typed, which takes several dialogs: the one in front, what was typed in it, and the rest. */
export type UnfinishedException = InferOutput<typeof unfinished>;
const unfinished = pipe(
	fields({
		at: picklist(['rules', 'expression', 'description']),
		text: string(),
		/** The rule that is changed, counted from 0; a new exception has none. */
		index: optional(number()),
		/** Whose rules are skipped. */
		ruleset: optional(string()),
		skips: optional(skips),
		expression: optional(string()),
	}),
	check(({at, ruleset, skips, expression}) =>
		at === 'rules'
			? ruleset !== undefined
			: skips !== undefined && (at === 'expression' || expression !== undefined),
	),
);

/** What a dialog of an exception keeps, beside what is typed in it. */
export const keptOf = (exception: Omit<UnfinishedException, 'text'>): JsonObject =>
	JSON.parse(JSON.stringify(exception)) as JsonObject;

/** The exception that the dialog in front asks about. */
export const exceptionIn = (dialog: Dialog | undefined): UnfinishedException | undefined =>
	dialog?.kind === 'field' && dialog.keeps
		? readUnfinished({...dialog.keeps, text: textOf(dialog.buffer)})
		: undefined;

/** The same out of JSON. */
export const readUnfinished = (json: JsonValue | undefined): UnfinishedException | undefined =>
	parseOrUndefined(unfinished, json);
