import {readdirSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {worldPlaceOf} from '../session/place.ts';
import {baseUrl} from '../settings/base-url.ts';
import type {Configuration} from '../settings/configuration.ts';
import {findContexts, type KnownContexts} from '../settings/contexts/in-force.ts';
import {accountId, environmentName, type SettingSources} from '../settings/settings.ts';
import {readVariables} from '../settings/variables.ts';
import type {Environment} from '../state/directory.ts';
import {type ListedKind, type Listing, listingsAt} from '../state/listed.ts';
import type {Place} from './line.ts';
import type {Known, Sources} from './offers.ts';

type Surroundings = {readonly env: Environment; readonly cwd: string; readonly now: number};

/**
 * Creates the sources for the place where a line acts, from its options (`--cwd`, `--config`, `--context`,
 * `--simulate` and so on), the environment variables and the files. An invalid setting leaves out what
 * depends on it.
 */
export function sourcesOf(given: Place['given'], {env, cwd: start, now}: Surroundings): Sources {
	const option = (name: string) => given.get(name)?.at(-1);
	const cwd = resolve(start, option('--cwd') ?? '');
	const simulate = given.has('--simulate');
	const options = {
		accountId: option('--account-id'),
		baseUrl: option('--base-url'),
		env: option('--env'),
		context: option('--context'),
		state: option('--state'),
		simulate,
	};
	const named = option('--config');
	const variables = orNothing(() => readVariables(env, given.get('--env-file'), cwd)) ?? readVariables(env);

	const contexts = once(
		async (): Promise<KnownContexts> =>
			(await settled(findContexts({options, variables, env}))) ?? {contexts: undefined, inForce: undefined},
	);

	const configuration = once(async (): Promise<Configuration | undefined> => {
		const {readConfiguration} = await import('../settings/configuration.ts');
		const environment = environmentName({options, variables});
		return (
			(await settled(readConfiguration({cwd, named, environment}))) ??
			// The environment on the line may be incomplete, or missing from the file.
			(await settled(readConfiguration({cwd, named})))
		);
	});

	const sources = once(
		async (): Promise<SettingSources> => ({
			options,
			variables,
			start: named === undefined ? cwd : dirname(resolve(cwd, named)),
			configuration: await configuration(),
			context: (await contexts()).inForce,
		}),
	);

	async function listings(kind: ListedKind, simulated: boolean): Promise<readonly Listing[]> {
		const from = await sources();
		const address = orNothing(() => (simulated ? '' : baseUrl(from).value));
		if (address === undefined) return [];
		const place = worldPlaceOf(
			{simulated, cwd, options: simulated && !simulate ? {} : options},
			{baseUrl: address},
		);
		return listingsAt(env, kind, place, now);
	}

	/** The active account, if a setting names it. */
	async function account(simulated: boolean): Promise<string | undefined> {
		if (simulated) return undefined;
		const from = await sources();
		return orNothing(() => accountId(from)?.value);
	}

	return {
		async accounts() {
			const {contexts: defined} = await contexts();
			const ofContexts = (defined?.all ?? []).flatMap(({name, accountId: id}): Known[] =>
				id === undefined ? [] : [{id, name}],
			);
			const listed = (await listings('namespaces', simulate)).flatMap(({account: id}): Known[] =>
				id === undefined ? [] : [{id, name: ''}],
			);
			return [...ofContexts, ...listed];
		},
		async bindings() {
			const found = (await configuration())?.namespaces ?? [];
			return found.map(({binding, id, previewId}) => ({binding, id, hasPreview: previewId !== undefined}));
		},
		contexts: async () => ((await contexts()).contexts?.all ?? []).map(({name}) => name),
		environments: async () => (await configuration())?.environments ?? [],
		async jobs() {
			const {listJobs} = await import('../state/jobs.ts');
			const jobs = (await settled(listJobs(env))) ?? [];
			return jobs.map(job => ({
				id: job.id,
				about: 'record' in job ? job.record.header.title : job.failure.message,
			}));
		},
		async namespaces(where) {
			const simulated = where === 'simulated' || simulate;
			const here = await account(simulated);
			const found = await listings('namespaces', simulated);
			// If no setting names the account, the most recent listing counts.
			const listing = here === undefined ? found[0] : found.find(one => one.account === here);
			return listing?.items ?? [];
		},
		async zones() {
			const here = await account(simulate);
			const found = (await listings('zones', simulate)).flatMap(({items}) => items);
			return found.filter(one => here === undefined || one.account === undefined || one.account === here);
		},
		files(begun) {
			const folder = begun.slice(0, begun.lastIndexOf('/') + 1);
			const entries = orNothing(() => readdirSync(resolve(cwd, folder), {withFileTypes: true})) ?? [];
			return entries
				.filter(({name}) => !name.startsWith('.') || begun.slice(folder.length).startsWith('.'))
				.map(entry => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
				.sort();
		},
	};
}

function orNothing<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}

const settled = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

function once<T>(work: () => Promise<T>): () => Promise<T> {
	let done: Promise<T> | undefined;
	return () => {
		done ??= work();
		return done;
	};
}
