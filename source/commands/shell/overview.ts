import {isFailure} from '../../failure.ts';
import {listKvNamespaces, type Namespace} from '../../kv/namespaces.ts';
import {cacheNamespaceTitles} from '../../session/listing-cache.ts';
import {getLocalDataRoot, getLocalDataState} from '../../session/namespaces.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import {resolveBaseUrl} from '../../settings/base-url.ts';
import type {Configuration} from '../../settings/configuration.ts';
import {configurationNames} from '../../settings/discovery.ts';
import {buildCommand} from '../../text/advice.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import type {CommandContext, GlobalOptions} from './context.ts';
import {listUnfinishedWork} from './jobs.ts';

/**
 * The overview that `ledge` prints without a command: the connection and why it was chosen, what exists, and
 * first steps.
 */
type Overview = {
	readonly service: {
		readonly connected: boolean;
		readonly address: string;
		readonly because: string;
		readonly account: string | null;
	};
	/** `null` when not connected. */
	readonly namespaces: readonly Namespace[] | null;
	readonly configuration: {
		readonly file: string;
		readonly bindings: number;
		readonly environments: readonly string[];
	} | null;
	readonly localData: string | null;
	/** Jobs and migrations that are not done. */
	readonly unfinished: readonly {readonly job: string; readonly state: string; readonly what: string}[];
	readonly problem: string | null;
};

/** Prints the overview as text, where screens cannot be shown. Never fails because of missing settings. */
export async function printOverview(context: CommandContext): Promise<void> {
	const configuration = await context.configuration();
	const overview = await loadOverview(context, configuration);
	if (context.output.json) return context.output.writeJson(context.markSimulated(overview));
	await context.output.writeText(`${buildOverviewLines(overview, context.options).join('\n')}\n`);
}

async function loadOverview(
	context: CommandContext,
	configuration: Configuration | undefined,
): Promise<Overview> {
	const {simulate} = context.options;
	const sources = await context.sources();
	const root = getLocalDataRoot(context.session);
	const commonParts = {
		configuration: configuration
			? {
					file: configuration.shownAs,
					bindings: configuration.namespaces.length,
					environments: configuration.environments,
				}
			: null,
		localData: getLocalDataState(root) === 'none' ? null : root,
		unfinished: (await listUnfinishedWork(context)).map(({id, state, what}) => ({job: id, state, what})),
	};
	const {value: address, from: because} = simulate
		? {value: 'the simulated service', from: '--simulate was given'}
		: resolveBaseUrl(sources);
	const service = {address, because};
	try {
		const client = await context.client();
		const account = await context.getAccount();
		const accountNamespaces: Namespace[] = [];
		for await (const namespace of listKvNamespaces(client, account.id, context.signal))
			accountNamespaces.push(namespace);
		cacheNamespaceTitles(context.session, client, account.id, accountNamespaces);
		return {
			...commonParts,
			service: {...service, connected: true, account: account.label},
			namespaces: accountNamespaces,
			problem: null,
		};
	} catch (error) {
		if (context.signal.aborted || !isFailure(error)) throw error;
		const {message, details} = error;
		const problem = [message, details.why].filter(Boolean).join('\n');
		return {
			...commonParts,
			service: {...service, connected: false, account: null},
			namespaces: null,
			problem,
		};
	}
}

function buildOverviewLines(
	{service, namespaces, configuration, localData, unfinished, problem}: Overview,
	options: GlobalOptions,
): string[] {
	const isSimulated = options.simulate === true;
	// The others are running or damaged.
	const resumableJob = unfinished.find(({state}) => state === 'unfinished');
	const configurationText = configuration
		? `${configuration.file}, ${formatPlainQuantity(configuration.bindings, 'KV binding')}${configuration.environments.length > 0 ? `, environments: ${configuration.environments.join(', ')}` : ''}`
		: `none (looked for ${configurationNames.join(', ')} in this folder and above)`;
	return [
		`ledge ${LEDGE_VERSION}${isSimulated ? '  ⟨ SIMULATED ⟩' : ''}`,
		'',
		...(service.connected
			? [
					`  Connected to    ${service.address}, account "${service.account}"`,
					`  because         ${service.because}`,
					`  Namespaces      ${namespaces?.length ?? 0}`,
					...(namespaces ?? [])
						.slice(0, maxShownNamespaces)
						.map(namespace => `                  ${namespace.id}  ${namespace.title}`),
					...((namespaces?.length ?? 0) > maxShownNamespaces ? ['                  …'] : []),
				]
			: [`  Not connected   ${(problem ?? '').split('\n').join(`\n${' '.repeat(18)}`)}`]),
		`  Configuration   ${configurationText}`,
		`  Local data      ${localData ?? 'none yet'}`,
		...unfinished.map(
			({job, what}, index) => `  ${(index === 0 ? 'Unfinished' : '').padEnd(16)}${job}  ${what}`,
		),
		...(isSimulated ? ['', '  Nothing you do here reaches a real account.'] : []),
		'',
		'Getting started',
		...buildFirstSteps({
			isConnected: service.connected,
			isSimulated,
			isConfigured: configuration !== null,
			id: namespaces?.[0]?.id,
			resumeCommand: resumableJob && qualifyAdvice(buildCommand('jobs resume', resumableJob.job), options),
		}).map(line => `  ${line}`),
	];
}

const maxShownNamespaces = 8;

function buildFirstSteps({
	isConnected,
	isSimulated,
	isConfigured,
	id = 'ID',
	resumeCommand,
}: {
	readonly isConnected: boolean;
	readonly isSimulated: boolean;
	readonly isConfigured: boolean;
	readonly id: string | undefined;
	readonly resumeCommand: string | undefined;
}): string[] {
	const flag = isSimulated ? ' --simulate' : '';
	const namespaceOption = isConfigured ? '--binding NAME' : '--namespace-id ID';
	const target = isConnected ? `--namespace-id ${id}` : namespaceOption;
	const lines: [string, string][] = isConnected
		? [[`ledge${flag} kv key list ${target} --format table`, 'list the keys in a namespace']]
		: [
				['ledge --simulate', 'try everything, without an account'],
				['export CLOUDFLARE_API_TOKEN=…', 'connect to your account'],
			];
	if (resumeCommand !== undefined) lines.unshift([resumeCommand, 'resume the unfinished job']);
	lines.push(
		[`ledge kv key list ${namespaceOption} --local`, 'list the data of your dev server'],
		['ledge --help', 'list all commands'],
	);
	const width = Math.max(...lines.map(([command]) => command.length));
	return lines.map(([command, purpose]) => `${command.padEnd(width)}   ${purpose}`);
}
