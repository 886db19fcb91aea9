import {isFailure} from '../../failure.ts';
import {
	type ManagedConfiguration,
	parseConfigurationJson,
} from '../../migration/configuration/configuration.ts';
import {applyEdit, type ConfigurationEdit, parseEdit} from '../../migration/configuration/edits.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {readUnfinishedException, type UnfinishedException} from './unfinished-exception.ts';

/** Edits in sequence, each with the configuration before it. `by hand`: saved in the user's text editor. */
type DoneEdits = readonly {
	readonly edit: ConfigurationEdit | 'by hand';
	readonly before: ManagedConfiguration;
}[];

/** The edits that a draft stores. */
export type SavedEdits = {
	/** The configuration before the first edit. */
	readonly start: ManagedConfiguration;
	readonly edits: DoneEdits;
	/** The configuration after all edits. */
	readonly configuration: ManagedConfiguration;
	readonly unfinished: UnfinishedException | undefined;
};

/** Converts edits to the fields of a draft. */
export function serializeEdits(
	{edits, configuration}: {readonly edits: DoneEdits; readonly configuration: ManagedConfiguration},
	unfinished: UnfinishedException | undefined,
): JsonObject {
	const getConfigurationAfter = (at: number): ManagedConfiguration => edits[at + 1]?.before ?? configuration;
	return {
		start: toJsonObject(edits[0]?.before ?? configuration),
		// An edit by hand cannot be repeated, so its result is stored.
		edits: edits.map(({edit}, at) =>
			edit === 'by hand' ? {after: toJsonObject(getConfigurationAfter(at))} : toJsonObject(edit),
		),
		unfinished: unfinished ? toJsonObject(unfinished) : null,
	};
}

const toJsonObject = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/**
 * Reads edits from the fields of a draft, or returns why they are invalid. Applies each edit again, so that
 * all are consistent.
 */
export function readSavedEdits({start, edits, unfinished}: JsonObject): SavedEdits | string {
	if (!Array.isArray(edits)) return 'It has no edits.';
	try {
		const begun = parseConfigurationJson(start, 'What was edited');
		let configuration = begun;
		const chain: DoneEdits[number][] = [];
		for (const one of edits as readonly JsonValue[]) {
			const before = configuration;
			const edit = parseEdit(one);
			if (edit) configuration = applyEdit(before, edit);
			else if (isJsonObject(one) && one.after !== undefined)
				configuration = parseConfigurationJson(one.after, 'What was written in the editor');
			else return `Edit ${chain.length + 1} is not of a kind that this ledge makes.`;
			chain.push({edit: edit ?? 'by hand', before});
		}
		const typed = unfinished === null ? undefined : readUnfinishedException(unfinished);
		if (unfinished !== null && !typed) return 'The exception in it is not whole.';
		return {start: begun, edits: chain, configuration, unfinished: typed};
	} catch (error) {
		if (isFailure(error)) return error.message;
		throw error;
	}
}
