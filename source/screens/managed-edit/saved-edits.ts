import {isFailure} from '../../failure.ts';
import {
	type ManagedConfiguration,
	parseConfigurationJson,
} from '../../migration/configuration/configuration.ts';
import {applyEdit, type ConfigurationEdit, parseEdit} from '../../migration/configuration/edits.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {readUnfinishedException, type UnfinishedException} from './unfinished-exception.ts';

/** Edits in sequence, each with the configuration before it. `by hand`: saved in the user's text editor. */
type EditHistory = readonly {
	readonly edit: ConfigurationEdit | 'by hand';
	readonly before: ManagedConfiguration;
}[];

/** The edits that a draft stores. */
export type SavedEdits = {
	/** The configuration before the first edit. */
	readonly start: ManagedConfiguration;
	readonly edits: EditHistory;
	/** The configuration after all edits. */
	readonly configuration: ManagedConfiguration;
	readonly unfinished: UnfinishedException | undefined;
};

/** Converts edits to the fields of a draft. */
export function serializeEdits(
	{edits, configuration}: {readonly edits: EditHistory; readonly configuration: ManagedConfiguration},
	unfinished: UnfinishedException | undefined,
): JsonObject {
	const getConfigurationAfter = (index: number): ManagedConfiguration =>
		edits[index + 1]?.before ?? configuration;
	return {
		start: toJsonObject(edits[0]?.before ?? configuration),
		// An edit by hand cannot be repeated, so its result is stored.
		edits: edits.map(({edit}, index) =>
			edit === 'by hand' ? {after: toJsonObject(getConfigurationAfter(index))} : toJsonObject(edit),
		),
		unfinished: unfinished ? toJsonObject(unfinished) : null,
	};
}

/** Converts a value to a JSON object, without its undefined properties. */
export const toJsonObject = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/**
 * Reads edits from the fields of a draft, or returns why they are invalid. Applies each edit again, so that
 * all are consistent.
 */
export function readSavedEdits({start, edits, unfinished}: JsonObject): SavedEdits | string {
	if (!Array.isArray(edits)) return 'It contains no edits.';
	try {
		const initialConfiguration = parseConfigurationJson(start, 'The edited configuration');
		let configuration = initialConfiguration;
		const editHistory: EditHistory[number][] = [];
		for (const editJson of edits as readonly JsonValue[]) {
			const before = configuration;
			const edit = parseEdit(editJson);
			if (edit) configuration = applyEdit(before, edit);
			else if (isJsonObject(editJson) && editJson.after !== undefined)
				configuration = parseConfigurationJson(editJson.after, 'The configuration written in the editor');
			else return `Edit ${editHistory.length + 1} is of a kind that this version of ledge doesn't know.`;
			editHistory.push({edit: edit ?? 'by hand', before});
		}
		const exception = unfinished === null ? undefined : readUnfinishedException(unfinished);
		if (unfinished !== null && !exception) return 'Its exception is incomplete.';
		return {start: initialConfiguration, edits: editHistory, configuration, unfinished: exception};
	} catch (error) {
		if (isFailure(error)) return error.message;
		throw error;
	}
}
