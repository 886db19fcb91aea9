import {isFailure} from '../../failure.ts';
import {type Configuration, readConfiguration} from '../../migration/configuration/configuration.ts';
import {applyEdit, type Edit, readEdit} from '../../migration/configuration/edits.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {readUnfinished, type UnfinishedException} from './unfinished-exception.ts';

/** Edits one after the other, each with what it was made to. `by hand`: what was saved in the editor of a person. */
type DoneEdits = readonly {readonly edit: Edit | 'by hand'; readonly before: Configuration}[];

/** What a draft of a configuration keeps. */
export type KeptEdits = {
	/** What the first edit was made to. */
	readonly start: Configuration;
	readonly edits: DoneEdits;
	/** What they come to. */
	readonly configuration: Configuration;
	readonly unfinished: UnfinishedException | undefined;
};

/** The same as fields of a draft. */
export function keptEdits(
	{edits, configuration}: {readonly edits: DoneEdits; readonly configuration: Configuration},
	unfinished: UnfinishedException | undefined,
): JsonObject {
	const after = (at: number): Configuration => edits[at + 1]?.before ?? configuration;
	return {
		start: asJson(edits[0]?.before ?? configuration),
		// What was written in the editor cannot be done again: what it came to is kept.
		edits: edits.map(({edit}, at) => (edit === 'by hand' ? {after: asJson(after(at))} : asJson(edit))),
		unfinished: unfinished ? asJson(unfinished) : null,
	};
}

const asJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/** Out of the fields of a draft, or why they cannot be read. Each edit is made again, so that all of them belong together. */
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
