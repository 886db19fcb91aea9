import {isFailure} from '../../failure.ts';
import {type Configuration, readConfiguration} from '../../migration/configuration/configuration.ts';
import {applyEdit, type Edit, readEdit} from '../../migration/configuration/edits.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {readUnfinished, type UnfinishedException} from './unfinished-exception.ts';

/** Edits in sequence, each with the configuration before it. `by hand`: saved in the user's text editor. */
type DoneEdits = readonly {readonly edit: Edit | 'by hand'; readonly before: Configuration}[];

/** The edits that a draft stores. */
export type KeptEdits = {
	/** The configuration before the first edit. */
	readonly start: Configuration;
	readonly edits: DoneEdits;
	/** The configuration after all edits. */
	readonly configuration: Configuration;
	readonly unfinished: UnfinishedException | undefined;
};

/** Converts edits to the fields of a draft. */
export function keptEdits(
	{edits, configuration}: {readonly edits: DoneEdits; readonly configuration: Configuration},
	unfinished: UnfinishedException | undefined,
): JsonObject {
	const after = (at: number): Configuration => edits[at + 1]?.before ?? configuration;
	return {
		start: asJson(edits[0]?.before ?? configuration),
		// An edit by hand cannot be repeated, so its result is stored.
		edits: edits.map(({edit}, at) => (edit === 'by hand' ? {after: asJson(after(at))} : asJson(edit))),
		unfinished: unfinished ? asJson(unfinished) : null,
	};
}

const asJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/**
 * Reads edits from the fields of a draft, or returns why they are invalid. Applies each edit again, so that
 * all are consistent.
 */
export function readKeptEdits({start, edits, unfinished}: JsonObject): KeptEdits | string {
	if (!Array.isArray(edits)) return 'It has no edits.';
	try {
		const begun = readConfiguration(start, 'What was edited');
		let configuration = begun;
		const chain: DoneEdits[number][] = [];
		for (const one of edits as readonly JsonValue[]) {
			const before = configuration;
			const edit = readEdit(one);
			if (edit) configuration = applyEdit(before, edit);
			else if (isJsonObject(one) && one.after !== undefined)
				configuration = readConfiguration(one.after, 'What was written in the editor');
			else return `Edit ${chain.length + 1} is not of a kind that this ledge makes.`;
			chain.push({edit: edit ?? 'by hand', before});
		}
		const typed = unfinished === null ? undefined : readUnfinished(unfinished);
		if (unfinished !== null && !typed) return 'The exception in it is not whole.';
		return {start: begun, edits: chain, configuration, unfinished: typed};
	} catch (error) {
		if (isFailure(error)) return error.message;
		throw error;
	}
}
