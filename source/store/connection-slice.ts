import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {baseUrl} from '../config/base-url.ts';
import {shownPath} from '../config/discovery.ts';
import {readOnly, target} from '../config/settings.ts';
import type {Sourced} from '../config/sourced.ts';
import {asFailure, type Failure, isFailure} from '../failure.ts';
import {localDataRoot} from '../session/namespaces.ts';
import type {Slice} from './slice.ts';

/** What ledge is connected to, and why (design.md 5, Home). */
export type Connection = {
	readonly simulated: boolean;
	readonly readOnly: boolean;
	/** Where keys are looked for first: the service, or local data (decision 8). */
	readonly begins: 'remote' | 'local';
	/** Origin and path of the service, and what said so. */
	readonly address: Sourced<string>;
	readonly configuration:
		| {
				readonly file: string;
				readonly bindings: number;
				readonly environments: readonly string[];
				readonly environment?: string | undefined;
		  }
		| undefined;
	readonly credential: {readonly kind: string; readonly from: string} | undefined;
	/** The folder of the local data, and whether there is any. */
	readonly localData: {readonly shownAs: string; readonly exists: boolean};
	readonly account:
		| {readonly state: 'unknown' | 'asking'}
		| {readonly state: 'known'; readonly label: string}
		| {readonly state: 'failed'; readonly failure: Failure};
	/** What is wrong with the settings themselves: then nothing but Home makes sense. */
	readonly problem?: Failure | undefined;
};

export type ConnectionSlice = {
	readonly connection: Connection | undefined;
	/** Finds out, without the network, what is configured. Never fails: what is wrong becomes `problem`. */
	lookAround(): Promise<void>;
	/** Asks the service who we are. A failure stays with the account, where Home shows it. */
	askAccount(signal: AbortSignal): Promise<void>;
};

export const createConnectionSlice: Slice<ConnectionSlice> = (set, get, {session}) => ({
	connection: undefined,
	async lookAround() {
		const {options, variables, simulated} = session;
		const common = {simulated, account: {state: 'unknown'} as const};
		try {
			const root = localDataRoot(session);
			const begins = session.simulated ? 'remote' : target({options, variables}).value;
			const configuration = await session.configuration();
			const sources = await session.sources();
			set({
				connection: {
					...common,
					localData: {shownAs: shownPath(root, session.cwd), exists: existsSync(join(root, 'kv'))},
					begins,
					readOnly: readOnly(sources).value,
					address: session.simulated
						? {value: 'the simulated service', from: '--simulate'}
						: baseUrl(sources),
					configuration: configuration && {
						file: configuration.shownAs,
						bindings: configuration.namespaces.length,
						environments: configuration.environments,
						environment: configuration.environment,
					},
					credential: session.simulated ? undefined : await credentialFound(sources),
				},
			});
		} catch (error) {
			set({
				connection: {
					...common,
					localData: {shownAs: '', exists: false},
					begins: 'local',
					readOnly: options.readOnly === true,
					address: {value: '', from: ''},
					configuration: undefined,
					credential: undefined,
					problem: asFailure(error),
				},
			});
		}
	},
	async askAccount(signal) {
		const change = (account: Connection['account']) => {
			const {connection} = get();
			if (connection) set({connection: {...connection, account}});
		};
		change({state: 'asking'});
		try {
			const {label} = await session.account(signal);
			change({state: 'known', label});
		} catch (error) {
			const failure = asFailure(error);
			change(signal.aborted ? {state: 'unknown'} : {state: 'failed', failure});
			throw failure;
		}
	},
});

async function credentialFound(sources: Parameters<typeof baseUrl>[0]): Promise<Connection['credential']> {
	const {credential} = await import('../config/credential.ts');
	try {
		const {kind, from} = await credential(sources);
		return {kind, from};
	} catch (error) {
		if (isFailure(error, 'credential_missing')) return undefined;
		throw error;
	}
}
