import {Failure} from '../../failure.ts';
import {readWholeKey, type WholeKey} from '../../kv/change/whole-key.ts';
import {limits} from '../../kv/limits.ts';
import {buildChildEnvironment} from '../../session/child-environment.ts';
import type {OwnCommand} from '../../settings/preferences/preferences.ts';
import {type CommandFiles, openCommandFiles} from '../../state/command-files.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Ports} from '../../store/slice.ts';
import {dropAddedLineEnd, getEditedFileName} from '../../terminal/editor.ts';
import {runOwnProgram} from '../../terminal/own-program.ts';
import {showInPager} from '../../terminal/pager.ts';
import {createValueEdit} from '../edit/edit.ts';
import {formatTextPages} from '../edit/files-slice.ts';
import {getKeyPlace} from '../edit/slice.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {CommandTools} from './slice.ts';
import {type ArgumentValues, buildCommandLine, formatCommandLine, readsValue} from './subject.ts';

type RunState = StateWith<'connection' | 'key' | 'keys'> &
	StateWith<'navigation', 'stack'> &
	StateWith<'messages', 'say' | 'warn'> &
	StateWith<'files', 'propose'>;

type CommandRun = {
	get(): RunState;
	readonly ports: Ports;
	readonly tools: CommandTools;
	readonly signal: AbortSignal;
};

/** Maximum kept bytes of output that is only shown. */
const maxShownBytes = 10 * 1024 * 1024;
const maxStatusBytes = 64 * 1024;
const maxStatusLength = 500;

/**
 * Runs a command after the question in production, with its files, which are removed afterwards. Fails with
 * `declined`, `command_failed`, `interrupted` and what reading the key fails with.
 */
export async function runOwnCommand(
	command: OwnCommand,
	values: ArgumentValues,
	run: CommandRun,
): Promise<void> {
	const {title, output, isForeground, timeoutSeconds} = command;
	const {get, ports, tools, signal} = run;
	const {session} = ports;
	await session.permit(getCommandPlace(get(), values), `run ${formatCommandLine(command, values)}`);
	const wholeKey = readsValue(command) ? await readSubjectKey(values, signal) : undefined;
	using files = createFilesOnDemand(session.env);
	const commandLine = buildCommandLine(command, values, writeFiles(command, values, wholeKey, files.open));
	const execute = () =>
		runOwnProgram({
			command: expandHome(commandLine, session.env.HOME),
			cwd: session.cwd,
			env: buildChildEnvironment(session, command.environment),
			isForeground,
			capture: output === 'none' ? 'none' : output === 'pager' ? 'all' : 'stdout',
			maxBytes: output === 'value' ? limits.valueBytes : output === 'pager' ? maxShownBytes : maxStatusBytes,
			failsBeyondLimit: output === 'value',
			timeout: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
			signal,
		});
	const end = await (isForeground ? tools.handOver(execute) : execute());
	if (output === 'pager' && end.output.length > 0) {
		await tools.waitForInput();
		const note = end.isTruncated
			? `\n[The output is longer than ${maxShownBytes} bytes; the rest was dropped.]`
			: '';
		const text = toPlainText(end.output) + note;
		await tools.handOver(() => showInPager(() => formatTextPages(Buffer.from(text)), session.env));
	}
	if (end.status !== 0)
		throw new Failure('command_failed', `"${title}" exited with ${end.status}.`, {
			why: toPlainText(Buffer.from(end.lastErrorLine)).slice(0, maxStatusLength) || undefined,
		});
	if (output === 'value' && wholeKey) {
		await tools.waitForInput();
		propose(get(), values, wholeKey, {bytes: end.output, source: `the output of "${title}"`});
		return;
	}
	const [line] = toPlainText(end.output).trim().split('\n');
	const hasLine = output === 'status' && line !== undefined && line !== '';
	get().messages.say(hasLine ? `${title}: ${line.slice(0, maxStatusLength)}` : `${title}: done.`);
}

/** Returns the place that production is recognised by: the account, and the zone or namespace that is shown. */
function getCommandPlace(
	{connection: {data: connection}}: StateWith<'connection'>,
	{subject}: ArgumentValues,
) {
	const {zone, namespaceTitle} = subject;
	const accountLabel =
		connection?.account.state === 'known' ? connection.account.label : connection?.context?.name;
	const names = [accountLabel, zone ? `zone ${zone.name}` : namespaceTitle];
	return {
		label: names.filter(Boolean).join(' › ') || 'this session',
		accountLabel,
		accountId: zone?.accountId ?? connection?.accountId,
		...(zone && {zone: {id: zone.id, name: zone.name}}),
	};
}

async function readSubjectKey(
	{subject: {keys, keyName = ''}}: ArgumentValues,
	signal: AbortSignal,
): Promise<WholeKey> {
	const wholeKey = keys && (await readWholeKey(keys.opened.store, keyName, signal));
	if (wholeKey) return wholeKey;
	throw new Failure('key_not_found', `The key ${keyName} no longer exists: it was deleted, or it expired.`);
}

function createFilesOnDemand(env: NodeJS.ProcessEnv) {
	let files: CommandFiles | undefined;
	return {
		open: () => (files ??= openCommandFiles(env)),
		[Symbol.dispose]: () => files?.[Symbol.dispose](),
	};
}

/** Writes the files that the arguments name. The names are fixed: no data reaches a path. */
function writeFiles(
	{command}: OwnCommand,
	{subject}: ArgumentValues,
	wholeKey: WholeKey | undefined,
	openFiles: () => CommandFiles,
) {
	const bytes = wholeKey?.bytes;
	return {
		...(command.includes('{value_file}') &&
			bytes && {value_file: openFiles().write(getEditedFileName(bytes), bytes)}),
		...(command.includes('{selected_file}') && {
			selected_file: openFiles().write(
				'selected.json',
				`${JSON.stringify(subject.selectedNames, undefined, 2)}\n`,
			),
		}),
	};
}

function expandHome(
	[program, ...rest]: readonly [string, ...string[]],
	home: string | undefined,
): readonly [string, ...string[]] {
	return [home !== undefined && program.startsWith('~/') ? `${home}${program.slice(1)}` : program, ...rest];
}

/** Returns output as text, without sequences that style it. What remains is made safe when it is drawn. */
const toPlainText = (bytes: Buffer): string =>
	bytes.toString('utf8').replaceAll(sequencePattern, '').replaceAll('\r\n', '\n');

/**
 * Matches sequences of a terminal, whole or not. Each ends before the next one begins, so that the time grows
 * with the length of the text: that of Node's own pattern grows with its square.
 */
const sequencePattern =
	/\u001b(?:\[[0-?]*[ -/]*[@-~]?|\][^\n\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|[ -/]*[0-~]?)/g;

/** Opens the review of output as the new value of the key that it was made from. */
function propose(
	state: RunState,
	{subject: {keys, keyName = ''}}: ArgumentValues,
	wholeKey: WholeKey,
	{bytes, source}: {readonly bytes: Uint8Array; readonly source: string},
): void {
	const screen = getCurrentScreen(state);
	const isShown = screen === 'keys' || (screen === 'key' && state.key.data?.name === keyName);
	if (!keys || !isShown || state.keys.data?.opened !== keys.opened)
		state.messages.warn(`The key ${keyName} is no longer shown, so ${source} was dropped.`);
	else {
		const edit = createValueEdit(getKeyPlace(keys, keyName), wholeKey);
		state.files.propose(edit, dropAddedLineEnd(wholeKey.bytes, bytes), source);
	}
}
