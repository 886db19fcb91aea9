import {accessSync, constants} from 'node:fs';
import {basename, dirname} from 'node:path';
import {toFailure} from '../../failure.ts';
import {findProxy} from '../../service/proxy.ts';
import {resolveBaseUrl} from '../../settings/base-url.ts';
import {findContexts} from '../../settings/contexts/active-context.ts';
import {getErrorCode, getPathStatus, getStateDirectory} from '../../state/directory.ts';
import {supportsUtf8} from '../../terminal/locale.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import type {Check, CheckResult} from './check.ts';
import {describeLocalFailure} from './failed-call.ts';

/** Checks this machine and the settings. Sends nothing and writes nothing. */
export async function checkMachine(context: CommandContext): Promise<readonly Check[]> {
	const checks = [
		['program', 'ledge', checkProgram],
		['terminal', 'terminal', checkTerminal],
		['state', 'state directory', checkStateDirectory],
		['configuration', 'configuration', checkConfiguration],
		['context', 'context', checkContext],
		['baseUrl', 'base URL', checkBaseUrl],
		['proxy', 'proxy', checkProxy],
	] as const;
	return Promise.all(
		checks.map(async ([name, title, check]): Promise<Check> => {
			try {
				return {name, title, ...(await check(context))};
			} catch (error) {
				return {name, title, ...describeLocalFailure(toFailure(error))};
			}
		}),
	);
}

const checkProgram = (): CheckResult => ({
	state: 'ok',
	finding: `${LEDGE_VERSION}, Node ${process.version}, ${process.platform} ${process.arch}`,
});

function checkTerminal({host: {stdout, stderr, env}}: CommandContext): CheckResult {
	const terminal = [stdout, stderr].find(({isTTY}) => isTTY);
	const hasUtf8 = supportsUtf8(env);
	const term = env.TERM || 'unset';
	const {columns, rows} = terminal ?? {};
	const isTooSmall = (columns ?? 80) < 40 || (rows ?? 24) < 10;
	const facts = [
		terminal ? `${columns ?? '?'}×${rows ?? '?'}` : 'none',
		...(terminal ? [formatColours(terminal.getColorDepth?.(env) ?? 1)] : []),
		hasUtf8 ? 'UTF-8' : 'not UTF-8',
		`TERM ${/^[\w.+-]{1,40}$/.test(term) ? term : 'odd'}`,
		...(env.NO_COLOR ? ['NO_COLOR'] : []),
	];
	const problems = [
		...(hasUtf8 ? [] : ['Screens use ASCII signs only: set a UTF-8 locale.']),
		...(terminal && isTooSmall ? ['Screens need 40×10.'] : []),
		...(terminal && term === 'dumb' ? ['Screens do not open with TERM dumb.'] : []),
	];
	return {
		state: problems.length > 0 ? 'note' : 'ok',
		finding: facts.join(', '),
		next: problems.join(' ') || undefined,
	};
}

const formatColours = (depth: number): string =>
	depth === 1 ? 'no colour' : depth === 24 ? 'true colour' : `${2 ** depth} colours`;

function checkStateDirectory({env}: CommandContext): CheckResult {
	const path = getStateDirectory(env);
	if (path === undefined)
		return {
			state: 'note',
			finding: 'none: neither LEDGE_STATE_DIR nor XDG_STATE_HOME nor HOME is set',
			next: 'Jobs, drafts, trash and the audit log are not kept: set LEDGE_STATE_DIR.',
		};
	const status = getPathStatus(path);
	if (!status) {
		const parent = findExistingParent(path);
		return isWritable(parent)
			? {state: 'ok', finding: `${path}, created when needed`}
			: unwritable(`${path} does not exist and cannot be created`);
	}
	const mode = (status.mode & 0o7777).toString(8).padStart(3, '0');
	if (!status.isDirectory()) return unwritable(`${path} is not a folder`);
	if (!isWritable(path)) return unwritable(`${path} is not writable, mode ${mode}`);
	const ownId = process.getuid?.();
	if (ownId !== undefined && status.uid !== ownId) return unwritable(`${path} belongs to someone else`);
	if (process.platform !== 'win32' && (status.mode & 0o022) !== 0)
		return {
			...unwritable(`${path} is writable by others, mode ${mode}, so ledge does not use it`),
			next: `chmod 700 ${path}`,
		};
	return {state: 'ok', finding: `${path}, writable, mode ${mode}`};
}

const unwritable = (finding: string): CheckResult => ({
	state: 'failed',
	finding,
	next: 'Set LEDGE_STATE_DIR to a folder of your own.',
});

const findExistingParent = (path: string): string => {
	const parent = dirname(path);
	return parent === path || getPathStatus(parent) ? parent : findExistingParent(parent);
};

function isWritable(path: string): boolean {
	try {
		accessSync(path, constants.W_OK | constants.X_OK);
		return true;
	} catch (error) {
		if (getErrorCode(error) === undefined) throw error;
		return false;
	}
}

async function checkConfiguration(context: CommandContext): Promise<CheckResult> {
	const configuration = await context.configuration();
	if (!configuration) return {state: 'ok', finding: 'no file'};
	const {file, namespaces, environments} = configuration;
	return {
		state: 'ok',
		finding: `${basename(file)}, ${formatPlainQuantity(namespaces.length, 'KV binding')}, ${formatPlainQuantity(environments.length, 'environment')}`,
	};
}

async function checkContext({options, session, env}: CommandContext): Promise<CheckResult> {
	const {active, contextsFile} = await findContexts({options, variables: session.variables, env});
	if (!active) return {state: 'ok', finding: contextsFile ? 'none active' : 'none defined'};
	return {
		state: 'ok',
		finding: `1 of ${contextsFile?.all.length ?? 1} active, ${active.namedBy === 'in use' ? 'in use' : `from ${active.namedBy}`}${active.production ? ', production' : ''}`,
	};
}

async function checkBaseUrl({options, sources}: CommandContext): Promise<CheckResult> {
	if (options.simulate) return {state: 'ok', finding: 'simulated, from --simulate'};
	const {value, from} = resolveBaseUrl(await sources());
	return {state: 'ok', finding: from === 'default' ? `${value} (default)` : `${value}, from ${from}`};
}

async function checkProxy({options, sources, env}: CommandContext): Promise<CheckResult> {
	const certificates = env.NODE_EXTRA_CA_CERTS ? '; NODE_EXTRA_CA_CERTS is set' : '';
	if (options.simulate) return {state: 'ok', finding: `not used${certificates}`};
	const proxy = findProxy(new URL(resolveBaseUrl(await sources()).value), env);
	return {
		state: 'ok',
		finding: `${proxy ? `${proxy.displayUrl}, from ${proxy.variable}` : 'none'}${certificates}`,
	};
}
