import {createInterruptedFailure, Failure} from '../../failure.ts';
import {formatExpiration} from '../../kv/keys.ts';
import {checkKey} from '../../kv/limits.ts';
import type {KvStore} from '../../kv/store.ts';
import type {KeyChange} from '../../kv/watch/changes.ts';
import {watchLimits} from '../../kv/watch/snapshot.ts';
import {watchIntervals, watchKeys} from '../../kv/watch/watch.ts';
import {getStoreClock} from '../../session/store-clock.ts';
import {formatDuration} from '../../terminal/progress.ts';
import {formatInteger, formatPlainQuantity} from '../../text/figures.ts';
import {escapeText} from '../../text/safe-text.ts';
import {parseSpan} from '../../text/time-input.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	buildExclusionFailure,
	createListOption,
	createNumberOption,
	createParsedOption,
	createSwitchOption,
	defineCommand,
	type OptionValues,
} from '../shell/declare.ts';
import {runUntilStopped} from '../shell/interrupt.ts';
import {buildTargetOptions, createPrefixOption, getNamespaceName} from './options.ts';
import {runOnChange} from './run-on-change.ts';
import {openTargetNamespace} from './stores.ts';

const minIntervalSeconds = watchIntervals.minMs / 1000;

const buildWatchOptions = () => [
	createPrefixOption(),
	createSwitchOption(
		'--values',
		`with several keys, read their values, too; at most ${formatInteger(watchLimits.values)} keys`,
	),
	createParsedOption(
		'--interval <span>',
		`time between reads, at least ${minIntervalSeconds}s (default: ${watchIntervals.defaultMs / 1000}s)`,
		{
			parse: parseSpanOption(minIntervalSeconds),
			expectedFormat: `a time such as 5s or 1m, at least ${minIntervalSeconds}s`,
		},
	),
	createNumberOption('--count <n>', 'stop after this many changes', 1),
	createParsedOption('--timeout <span>', 'stop after this time; exit code 1 before --count changes', {
		parse: parseSpanOption(1),
		expectedFormat: 'a time such as 30s or 5m',
	}),
	...buildTargetOptions(),
	createListOption(
		'--exec <program...>',
		'run a program for each change, with all words that follow, so it comes last; the value is its standard input',
	),
];

function parseSpanOption(minSeconds: number): (text: string) => number | undefined {
	return text => {
		const seconds = parseSpan(text.trim().toLowerCase());
		return seconds !== undefined && seconds >= minSeconds ? seconds : undefined;
	};
}

type WatchOptions = OptionValues<typeof buildWatchOptions>;

export const kvWatchCommand = defineCommand({
	usage: 'watch [KEY]',
	summary: 'print changes of a key or of keys with a prefix as they happen, or run a program for each',
	example: 'kv watch --prefix flags: --binding CONFIG --exec ./reload.sh',
	sampleArguments: 'features --namespace-id {namespace} --timeout 1s',
	formatDetails: () =>
		[
			'Without KEY and --prefix, it watches all keys. The value of KEY is read each time; of',
			'several keys, names, metadata and expiration, and with --values the values.',
			'Changes on the service can appear up to 60 s late. A key that returns to an earlier',
			'state within 60 s is reported after that time, because a read may be stale.',
			'',
			'The program of --exec gets LEDGE_KEY, LEDGE_CHANGE (added, changed, deleted) and',
			'LEDGE_NAMESPACE_ID as environment variables, and no credentials.',
		].join('\n'),
	options: buildWatchOptions,
	run: runWatch,
});

async function runWatch(context: CommandContext, options: WatchOptions, key?: string): Promise<void> {
	if (key !== undefined) checkKey(key);
	if (key !== undefined && options.prefix !== undefined) throw buildExclusionFailure('KEY', '--prefix');
	if (options.exec?.length === 0 || options.exec?.[0] === '')
		throw new Failure('usage', '--exec needs a program.');
	return runUntilStopped(context, watchNamespace(context, options, key));
}

async function watchNamespace(
	context: CommandContext,
	options: WatchOptions,
	key: string | undefined,
): Promise<void> {
	const {output, session, setExitCode} = context;
	const {target, store: openedStore} = await openTargetNamespace(context, options, {mustExist: true});
	using store = openedStore;
	const clock = getStoreClock(session, target);
	const timeoutController = new AbortController();
	const signal = AbortSignal.any([context.signal, timeoutController.signal]);
	if (options.timeout !== undefined)
		void clock.wait(options.timeout * 1000 * clock.scale, signal).then(
			() => timeoutController.abort(),
			() => {},
		);
	let remaining = options.count ?? Number.POSITIVE_INFINITY;
	let hasFailedProgram = false;
	const subject =
		key === undefined
			? `keys ${options.prefix ? `that start with ${JSON.stringify(options.prefix)} ` : ''}`
			: `${JSON.stringify(key)} `;
	const scope = key === undefined ? {prefix: options.prefix ?? '', readsValues: options.values} : {key};
	const intervalMs = (options.interval ?? watchIntervals.defaultMs / 1000) * 1000;
	try {
		await watchKeys(
			store,
			{scope, intervalMs, clock},
			{
				async onChanges(changes) {
					for (const change of changes) {
						await printChange(context, store, change);
						if (options.exec) {
							const isSuccess = await runForChange({...context, signal}, store, change, options.exec);
							hasFailedProgram ||= !isSuccess;
						}
						if (--remaining === 0) return true;
					}
					return false;
				},
				onFailure(failure, waitMs) {
					output.warn(`${failure.message} Next read in ${formatDuration(waitMs / 1000)}.`);
				},
				onRead(currentMs) {
					const reason = currentMs > intervalMs ? ': each read needs many calls or much time' : '';
					output.sayIfInteractive(
						`Watching ${subject}in ${getNamespaceName(options, store)} every ${formatDuration(currentMs / 1000)}${reason}. Press ctrl-c to stop.`,
					);
				},
			},
			signal,
		);
	} catch (error) {
		if (context.signal.aborted) throw createInterruptedFailure();
		if (!timeoutController.signal.aborted) throw error;
		if (options.count !== undefined) setExitCode(1);
	}
	if (hasFailedProgram) setExitCode(1);
}

async function runForChange(
	context: CommandContext,
	store: KvStore,
	{kind, key: {name, bytes}}: KeyChange,
	exec: readonly string[],
): Promise<boolean> {
	// Of several keys, values are read only with --values.
	const value = kind === 'deleted' ? undefined : (bytes ?? (await store.get(name, context.signal))?.bytes);
	const change = {kind, key: name, namespace: store.namespace, bytes: value ?? new Uint8Array()};
	return runOnChange(context, exec, change);
}

const signs = {added: '+', changed: '~', deleted: '-'} as const;

/** Prints a change as a line, or as an object on one line with `--json`. */
async function printChange(context: CommandContext, store: KvStore, change: KeyChange): Promise<void> {
	const {output, now} = context;
	const {kind, key, previous, parts} = change;
	const isExpired = kind === 'deleted' && key.expiration !== undefined && key.expiration * 1000 <= now();
	const size = kind === 'deleted' ? undefined : key.size;
	if (output.json)
		return output.writeJsonText(
			`${JSON.stringify(
				context.markSimulated({
					time: new Date(now()).toISOString(),
					change: kind,
					key: key.name,
					namespace: store.namespace,
					changed: parts,
					bytes: size ?? null,
					previousBytes: previous?.size ?? null,
					expiration:
						kind === 'deleted' || key.expiration === undefined ? null : formatExpiration(key.expiration),
					metadata: kind === 'deleted' ? null : (key.metadata ?? null),
					expired: isExpired,
				}),
			)}\n`,
		);
	const details = [
		...(size === undefined ? [] : [formatSizes(previous?.size, size)]),
		...parts.filter(part => part !== 'value'),
		...(isExpired ? ['expired'] : []),
	];
	const time = new Date(now()).toISOString().slice(11, 19);
	const columns = [time, `${signs[kind]} ${kind.padEnd(7)}`, key.name, details.join(', ')];
	return output.writeText(`${escapeText(columns.join('  ').trimEnd())}\n`);
}

/** Formats the size before and after a change: `120 → 131 bytes`. */
const formatSizes = (previous: number | undefined, current: number): string =>
	previous === undefined || previous === current
		? formatPlainQuantity(current, 'byte')
		: `${previous} → ${formatPlainQuantity(current, 'byte')}`;
