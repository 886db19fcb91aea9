import {findConfiguration} from '../config/discovery.ts';
import type {JobTarget} from '../config/job-record.ts';
import {localRoot} from '../config/local-root.ts';
import {target as targetInForce} from '../config/settings.ts';
import {Failure} from '../failure.ts';
import type {KvStore} from '../kv/store.ts';
import {type CommandContext, createContext} from './context.ts';
import type {TargetOptions} from './kv-options.ts';

export type StoreUse = {
	readonly write?: boolean;
	/** The file a value comes from, for the curl line of a dry run. */
	readonly valueFile?: string | undefined;
};

/** A namespace that a command works on, and what it is called in a journal. */
export type OpenedStore = {readonly store: KvStore; readonly target: JobTarget};

/** The namespace that the options mean, on local data or at the service (decisions 8 and 15). */
export async function openStore(
	context: CommandContext,
	options: TargetOptions,
	use: StoreUse = {},
): Promise<OpenedStore> {
	const {simulate} = context.options;
	if (use.write) context.refuseWhenReadOnly('this command');
	if (simulate && options.local) {
		throw new Failure('usage', '--simulate and --local exclude each other.', {
			next: 'Leave one of them out.',
		});
	}
	const where = simulate ? 'remote' : targetInForce({options, variables: context.variables}).value;
	if (where === 'remote' && options.persistTo !== undefined) {
		throw new Failure('usage', '--persist-to belongs to local data.', {
			next: 'Add --local, or leave it out.',
		});
	}
	const choice = await context.choose(options, where);
	if (where === 'remote') return openRemote(context, choice.id, choice.binding ?? choice.id, use);
	// The folder of local data needs the place of the configuration file, and not what is in it.
	const configurationFile = findConfiguration(context.cwd, context.options.config)?.file;
	const root = localRoot({cwd: context.cwd, persistTo: options.persistTo, configurationFile}).value;
	return openLocal(context, root, choice.id, use);
}

/** The same for commands that keep no journal: just the store. */
export const openNamespace = async (
	context: CommandContext,
	options: TargetOptions,
	use: StoreUse = {},
): Promise<KvStore> => (await openStore(context, options, use)).store;

/**
 * The namespace of a job that was interrupted, wherever it was begun. A job of the simulated service goes on there
 * whatever the options say; one of a service goes on only where the base URL in force is the same (decision 37).
 */
export async function reopenStore(context: CommandContext, target: JobTarget): Promise<OpenedStore> {
	const {place, account, namespace = ''} = target;
	if (place.startsWith('local:'))
		return openLocal(context, place.slice('local:'.length), namespace, {write: true});
	if (place === 'simulated' && !context.options.simulate) {
		return reopenStore(createContext({...context.options, simulate: true}), target);
	}
	const opened = await openRemote(context, namespace, namespace, {write: true}, account);
	if (opened.target.place === place) return opened;
	throw new Failure('journal_invalid', `This job belongs to ${place}.`, {
		why: `The service in force is ${opened.target.place}.`,
		next:
			place === 'simulated'
				? 'Add --simulate.'
				: 'Set the base URL it was begun with, and leave out --simulate.',
	});
}

async function openLocal(
	context: CommandContext,
	root: string,
	namespace: string,
	{write}: StoreUse,
): Promise<OpenedStore> {
	const target = {place: `local:${root}`, namespace};
	const {openLocalStore} = await import('../kv/local/local-store.ts');
	const store = openLocalStore({root, namespace});
	if (!write || !context.options.dryRun) return {store, target};
	const {planningStore} = await import('../kv/planning-store.ts');
	return {store: planningStore(store, operation => context.planned({local: store.label, operation})), target};
}

async function openRemote(
	context: CommandContext,
	namespace: string,
	name: string,
	{write, valueFile}: StoreUse,
	knownAccount?: string,
): Promise<OpenedStore> {
	const client = await context.client();
	const account =
		knownAccount === undefined ? await context.account() : {id: knownAccount, label: knownAccount};
	const {openRemoteStore} = await import('../kv/remote-store.ts');
	const label = `${account.label} › ${name}`;
	if (write) context.announceWrite(label);
	const simulated = context.options.simulate === true;
	const place = simulated ? 'simulated' : new URL(client.baseUrl).origin;
	return {
		store: openRemoteStore({client, account: account.id, namespace, label, simulated, valueFile}),
		target: {place, account: account.id, namespace},
	};
}
