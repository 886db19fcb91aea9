import {readdirSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {getPlaceWithWorld} from '../session/place.ts';
import {resolveBaseUrl} from '../settings/base-url.ts';
import type {Configuration} from '../settings/configuration.ts';
import {findContexts, type KnownContexts} from '../settings/contexts/active-context.ts';
import {resolveAccountId, resolveEnvironmentName, type SettingSources} from '../settings/settings.ts';
import {readVariables} from '../settings/variables.ts';
import type {Environment} from '../state/directory.ts';
import {type ListedKind, type Listing, readListings} from '../state/listing-cache.ts';
import {attempt} from '../text/attempt.ts';
import type {CompletionPlace} from './line.ts';
import type {CompletionSources, NamedResource} from './offers.ts';

type CompletionContext = {readonly env: Environment; readonly cwd: string; readonly now: number};

/**
 * Creates the sources for a command line, from its options (`--cwd`, `--config`, `--context`, `--simulate`
 * and so on), the environment variables and the files. If a setting is invalid, whatever depends on it is
 * left out.
 */
export function createCompletionSources(
	givenOptions: CompletionPlace['givenOptions'],
	{env, cwd: startFolder, now}: CompletionContext,
): CompletionSources {
	const getOption = (name: string) => givenOptions.get(name)?.at(-1);
	const cwd = resolve(startFolder, getOption('--cwd') ?? '');
	const simulate = givenOptions.has('--simulate');
	const options = {
		accountId: getOption('--account-id'),
		baseUrl: getOption('--base-url'),
		env: getOption('--env'),
		context: getOption('--context'),
		state: getOption('--state'),
		simulate,
	};
	const configurationPath = getOption('--config');
	const variables =
		attempt(() => readVariables(env, givenOptions.get('--env-file'), cwd)) ?? readVariables(env);

	const loadContexts = computeOnce(
		async (): Promise<KnownContexts> =>
			(await ignoreRejection(findContexts({options, variables, env}))) ?? {
				contextsFile: undefined,
				active: undefined,
			},
	);

	const loadConfiguration = computeOnce(async (): Promise<Configuration | undefined> => {
		const {readConfiguration} = await import('../settings/configuration.ts');
		const environment = resolveEnvironmentName({options, variables});
		return (
			(await ignoreRejection(readConfiguration({cwd, configurationPath, environment}))) ??
			// The environment on the line may be incomplete, or missing from the file.
			(await ignoreRejection(readConfiguration({cwd, configurationPath})))
		);
	});

	const loadSources = computeOnce(
		async (): Promise<SettingSources> => ({
			options,
			variables,
			startFolder: configurationPath === undefined ? cwd : dirname(resolve(cwd, configurationPath)),
			configuration: await loadConfiguration(),
			context: (await loadContexts()).active,
		}),
	);

	async function loadListings(kind: ListedKind, simulated: boolean): Promise<readonly Listing[]> {
		const settings = await loadSources();
		const address = attempt(() => (simulated ? '' : resolveBaseUrl(settings).value));
		if (address === undefined) return [];
		const place = getPlaceWithWorld(
			{simulated, cwd, options: simulated && !simulate ? {} : options},
			{baseUrl: address},
		);
		return readListings(env, kind, place, now);
	}

	/** The active account, if a setting names it. */
	async function findAccountId(simulated: boolean): Promise<string | undefined> {
		if (simulated) return undefined;
		const settings = await loadSources();
		return attempt(() => resolveAccountId(settings)?.value);
	}

	return {
		async accounts() {
			const {contextsFile: definedContexts} = await loadContexts();
			const contextAccounts = (definedContexts?.all ?? []).flatMap(
				({name, accountId: id}): NamedResource[] => (id === undefined ? [] : [{id, name}]),
			);
			const listedAccounts = (await loadListings('namespaces', simulate)).flatMap(
				({account: id}): NamedResource[] => (id === undefined ? [] : [{id, name: ''}]),
			);
			return [...contextAccounts, ...listedAccounts];
		},
		async bindings() {
			const namespaces = (await loadConfiguration())?.namespaces ?? [];
			return namespaces.map(({binding, id, previewId}) => ({
				binding,
				id,
				hasPreview: previewId !== undefined,
			}));
		},
		contexts: async () => ((await loadContexts()).contextsFile?.all ?? []).map(({name}) => name),
		environments: async () => (await loadConfiguration())?.environments ?? [],
		async jobs() {
			const {listJobs} = await import('../state/jobs.ts');
			const jobs = (await ignoreRejection(listJobs(env))) ?? [];
			return jobs.map(job => ({
				id: job.id,
				about: 'record' in job ? job.record.header.title : job.failure.message,
			}));
		},
		async namespaces(where) {
			const simulated = where === 'simulated' || simulate;
			const activeAccountId = await findAccountId(simulated);
			const listings = await loadListings('namespaces', simulated);
			// If no setting names the account, the most recent listing is used.
			const listing =
				activeAccountId === undefined
					? listings[0]
					: listings.find(candidate => candidate.account === activeAccountId);
			return listing?.items ?? [];
		},
		async zones() {
			const activeAccountId = await findAccountId(simulate);
			const zones = (await loadListings('zones', simulate)).flatMap(({items}) => items);
			return zones.filter(
				zone =>
					activeAccountId === undefined || zone.account === undefined || zone.account === activeAccountId,
			);
		},
		files(prefix) {
			const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
			const entries = attempt(() => readdirSync(resolve(cwd, folder), {withFileTypes: true})) ?? [];
			return entries
				.filter(({name}) => !name.startsWith('.') || prefix.slice(folder.length).startsWith('.'))
				.map(entry => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
				.sort();
		},
	};
}

const ignoreRejection = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

function computeOnce<T>(work: () => Promise<T>): () => Promise<T> {
	let result: Promise<T> | undefined;
	return () => {
		result ??= work();
		return result;
	};
}
