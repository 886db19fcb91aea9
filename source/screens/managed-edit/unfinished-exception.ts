import {check, type InferOutput, number, optional, picklist, pipe, string} from 'valibot';
import {skipsSchema} from '../../migration/configuration/exceptions.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import type {JsonObject, JsonValue} from '../../text/json.ts';
import {parseOrUndefined, pickFields} from '../../text/schema.ts';
import type {Dialog} from '../shell/dialog-slice.ts';

/** An exception being entered in several dialogs: the current step, its text, and the answers so far. */
export type UnfinishedException = InferOutput<typeof unfinishedSchema>;
const unfinishedSchema = pipe(
	pickFields({
		at: picklist(['rules', 'expression', 'description']),
		text: string(),
		/** Index of the changed rule, from 0; undefined for a new exception. */
		index: optional(number()),
		/** Id of the ruleset whose rules are skipped. */
		ruleset: optional(string()),
		skips: optional(skipsSchema),
		expression: optional(string()),
	}),
	check(({at, ruleset, skips, expression}) =>
		at === 'rules'
			? ruleset !== undefined
			: skips !== undefined && (at === 'expression' || expression !== undefined),
	),
);

/** Serializes the answers so far, apart from the text in the dialog. */
export const serializeException = (exception: Omit<UnfinishedException, 'text'>): JsonObject =>
	JSON.parse(JSON.stringify(exception)) as JsonObject;

/** Reads the unfinished exception from the open dialog; undefined if there is none. */
export const readDialogException = (dialog: Dialog | undefined): UnfinishedException | undefined =>
	dialog?.kind === 'field' && dialog.formInput
		? readUnfinishedException({...dialog.formInput, text: getBufferText(dialog.buffer)})
		: undefined;

/** Reads an unfinished exception from JSON; undefined if it is invalid. */
export const readUnfinishedException = (json: JsonValue | undefined): UnfinishedException | undefined =>
	parseOrUndefined(unfinishedSchema, json);
