import {Failure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {type PlaceholderName, parseCommandArguments} from '../../settings/preferences/placeholders.ts';
import type {OwnCommand} from '../../settings/preferences/preferences.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {quoteShellWord} from '../../text/shell-word.ts';
import {getLoadBlockedReason} from '../edit/files.ts';
import {getOpenOrCurrentKeyName, getOtherSelectionReason} from '../edit/slice.ts';
import type {KeysState} from '../keys/state.ts';
import {getSelectedNamespace} from '../namespaces/slice.ts';
import {getReadOnlyReason} from '../shell/action.ts';
import {getCurrentScreen, type Screen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {getSelectedZone, toOpenedZone} from '../zones/slice.ts';

/** What a command acts on: copied when its key is pressed, so that nothing else takes its place meanwhile. */
type CommandSubject = {
	readonly keys: KeysState | undefined;
	/** The key under the cursor, or the open one. */
	readonly keyName: string | undefined;
	readonly selectedNames: readonly string[];
	readonly namespaceId: string | undefined;
	readonly namespaceTitle: string | undefined;
	readonly zone: ZoneWithLabel | undefined;
};

/** What a placeholder for text, or a question, stands for. */
export type ArgumentValues = {
	readonly subject: CommandSubject;
	/** Answers by the names of their questions. */
	readonly answers: ReadonlyMap<string, string>;
};

/** Maximum bytes of an argument, below the limit of all systems. */
const maxArgumentBytes = 100_000;

type SubjectState = StateWith<'connection' | 'key' | 'keys' | 'namespaces' | 'zones'> &
	StateWith<'navigation', 'stack'> &
	StateWith<'edits', 'list'> &
	StateWith<'ownCommands', 'running'>;

/** Finds what the placeholders of a command stand for. `zone`: the zone that the screen is about. */
export function getCommandSubject(
	command: OwnCommand,
	state: SubjectState,
	zone: ZoneWithLabel | undefined,
): CommandSubject {
	const keys = state.navigation.stack.includes('keys') ? state.keys.data : undefined;
	const isNamespaceList = getCurrentScreen(state) === 'namespaces';
	const namespace = isNamespaceList ? getSelectedNamespace(state.namespaces.data) : keys?.namespace;
	const zoneRow = getCurrentScreen(state) === 'zones' ? getSelectedZone(state.zones.data) : undefined;
	const keyName = keys && getOpenOrCurrentKeyName(state);
	const isKeyScreen = getCurrentScreen(state) === 'key';
	const selectedNames =
		keys && !isKeyScreen && usesPlaceholder(command, 'selected_file')
			? [...keys.index.listSelectedNames()]
			: [];
	return {
		keys,
		keyName,
		selectedNames: selectedNames.length > 0 || keyName === undefined ? selectedNames : [keyName],
		namespaceId: namespace?.id,
		namespaceTitle: namespace?.title,
		zone: zoneRow ? toOpenedZone(zoneRow) : zone,
	};
}

const usesPlaceholder = ({command}: OwnCommand, ...names: readonly PlaceholderName[]): boolean =>
	parseCommandArguments(command).some(one => one.kind === 'place' && names.includes(one.name));

/** Placeholders without a value on a screen, whatever it shows: nothing that has one can be open behind it. */
const missingPlaceholders: Partial<Readonly<Record<Screen, readonly PlaceholderName[]>>> = {
	home: ['key', 'value_file', 'selected_file', 'namespace', 'namespace_id', 'zone', 'zone_id'],
	namespaces: ['key', 'value_file', 'selected_file', 'zone', 'zone_id'],
	zones: ['key', 'value_file', 'selected_file', 'namespace', 'namespace_id'],
	keys: ['zone', 'zone_id'],
	key: ['zone', 'zone_id'],
};

/** Finds a placeholder of a command that never has a value on the screen. */
export const findMissingPlaceholder = (command: OwnCommand, screen: Screen): PlaceholderName | undefined =>
	missingPlaceholders[screen]?.find(name => usesPlaceholder(command, name));

/** True if a command needs the value of the key. */
export const readsValue = (command: OwnCommand): boolean =>
	command.output === 'value' || usesPlaceholder(command, 'value_file');

/** Returns why a command cannot run now. */
export function getCommandBlockedReason(
	command: OwnCommand,
	state: SubjectState,
	zone: ZoneWithLabel | undefined,
): string | undefined {
	if (state.ownCommands.running.includes(command.title))
		return `it is still running: ${nameKey('command.stop', 'ctrl-x')} stops it`;
	const readOnlyReason = command.isReadOnly ? undefined : getReadOnlyReason(state);
	if (readOnlyReason !== undefined) return readOnlyReason;
	const needsOneKey = readsValue(command) || usesPlaceholder(command, 'key');
	const subject = getCommandSubject({...command, command: ['']}, state, zone);
	const isOneKeyMissing = needsOneKey && subject.keyName === undefined;
	const hasNoSelection =
		usesPlaceholder(command, 'selected_file') &&
		subject.keyName === undefined &&
		!(subject.keys && subject.keys.index.selectedCount > 0);
	if (isOneKeyMissing || hasNoSelection) return 'the cursor is not on a key';
	if (usesPlaceholder(command, 'namespace', 'namespace_id') && subject.namespaceId === undefined)
		return 'no namespace here';
	if (usesPlaceholder(command, 'zone', 'zone_id') && !subject.zone) return 'no zone here';
	if (command.output === 'value') {
		const reason = getLoadBlockedReason(state);
		if (reason !== undefined) return reason;
	}
	return needsOneKey && !usesPlaceholder(command, 'selected_file')
		? getOtherSelectionReason(state)
		: undefined;
}

/**
 * Returns why a text cannot be an argument. One that begins with "-" could become an option, so it needs "--"
 * before it in the command, by which most programs end their options.
 */
export function findArgumentProblem(
	command: OwnCommand,
	argumentIndex: number,
	text: string,
): string | undefined {
	if (text.includes('\0')) return 'it contains the character 0, which no argument can';
	const size = Buffer.byteLength(text);
	if (size > maxArgumentBytes)
		return `it has ${size} bytes, and an argument at most ${maxArgumentBytes}; use {value_file}`;
	const hasOptionEnd = command.command.slice(1, argumentIndex).includes('--');
	return text.startsWith('-') && !hasOptionEnd
		? 'it begins with "-", and the program could take it for an option; write "--" before it in the command, if the program supports that'
		: undefined;
}

/** Finds the text of a placeholder; undefined for a file. */
function findPlaceText(
	name: PlaceholderName,
	{keyName, namespaceId, namespaceTitle, zone}: CommandSubject,
): string | undefined {
	switch (name) {
		case 'key':
			return keyName;
		case 'namespace':
			return namespaceTitle;
		case 'namespace_id':
			return namespaceId;
		case 'zone':
			return zone?.name;
		case 'zone_id':
			return zone?.id;
		case 'value_file':
		case 'selected_file':
			return undefined;
		default:
			return name satisfies never;
	}
}

/**
 * Builds the program and its arguments; each placeholder becomes one argument. `files` has the paths of files
 * by their placeholders. Fails with `command_failed` if a value cannot be an argument.
 */
export function buildCommandLine(
	command: OwnCommand,
	{subject, answers}: ArgumentValues,
	files: Partial<Readonly<Record<PlaceholderName, string>>>,
): readonly [string, ...string[]] {
	const [program] = command.command;
	const words = parseCommandArguments(command.command).map((argument, index) => {
		if (argument.kind === 'text') return argument.text;
		const value =
			argument.kind === 'prompt'
				? answers.get(argument.name)
				: (files[argument.name] ?? findPlaceText(argument.name, subject));
		const place = argument.kind === 'prompt' ? argument.name : `{${argument.name}}`;
		if (value === undefined)
			throw new Failure('command_failed', `"${command.title}" was not started: ${place} has no value here.`);
		const problem = findArgumentProblem(command, index, value);
		if (problem !== undefined)
			throw new Failure('command_failed', `"${command.title}" was not started because of ${place}.`, {
				why: `It is "${value.slice(0, 200)}": ${problem}.`,
			});
		return value;
	});
	return [program, ...words.slice(1)];
}

/** Formats a command for a question: with its values, and names instead of the paths of files. */
export const formatCommandLine = (command: OwnCommand, values: ArgumentValues): string =>
	buildCommandLine(command, values, {value_file: '{value_file}', selected_file: '{selected_file}'})
		.map(word => (/^\{(?:value|selected)_file\}$/.test(word) ? word : quoteShellWord(word)))
		.join(' ');
