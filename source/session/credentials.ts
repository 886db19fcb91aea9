import type {ChoiceDescription, CredentialChoice} from '../credentials/choice.ts';
import type {CredentialSource} from '../credentials/source.ts';
import {Failure} from '../failure.ts';
import {parseNamespaceFromPath} from '../kv/namespace-in-path.ts';
import type {SettingSources} from '../settings/settings.ts';
import {memoize} from './memoize.ts';
import type {ActiveAccount, SessionEvents, SessionParts} from './parts.ts';

type CredentialParts = {
	readonly sources: () => Promise<SettingSources>;
	readonly cwd: string;
	/** Folder that determines wrangler's login. */
	readonly startFolder: string;
	readonly env: NodeJS.ProcessEnv;
	/** Milliseconds since the epoch. */
	readonly now: () => number;
	readonly events: SessionEvents;
	readonly lendTerminal: SessionParts['lendTerminal'];
	/** Credentials shared by the sessions of the process, by choice. */
	readonly shared: Map<string, CredentialSource>;
};

/** Picks the variables that locate wrangler's files; a variables file may set them too. */
const pickHomeVariables = (variables: SettingSources['variables']): NodeJS.ProcessEnv =>
	Object.fromEntries(
		['HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'APPDATA'].flatMap(name => {
			const variable = variables(name);
			return variable ? [[name, variable.value]] : [];
		}),
	);

/**
 * Creates a session's access to its credential. The credential is chosen once; nothing runs before it is
 * requested.
 */
export function createSessionCredentials({
	sources,
	cwd,
	startFolder,
	env,
	now,
	events,
	lendTerminal,
	shared,
}: CredentialParts) {
	/** Description of the last choice, for failures. */
	let description: ChoiceDescription | undefined;

	const getChoice = memoize(async (): Promise<CredentialChoice> => {
		const {chooseCredential, describeChoice} = await import('../credentials/choice.ts');
		const choice = await chooseCredential(await sources());
		description = describeChoice(choice, new Date(now()));
		return choice;
	});

	/**
	 * Explains failures: adds the sent credential and the account to a refused credential, and names an unknown
	 * namespace by its binding and id.
	 */
	function explainFailure(
		failure: Failure,
		account: ActiveAccount | undefined,
		{path, boundIds}: {readonly path: string; readonly boundIds: ReadonlyMap<string, string>},
	): Failure {
		const {code, message, details} = failure;
		const id = parseNamespaceFromPath(path);
		if (code === 'namespace_not_found' && id !== undefined) {
			const binding = boundIds.get(id);
			const accountNote = account === undefined ? 'this account' : `account ${account.label}`;
			const text =
				binding === undefined
					? `Namespace ${id} does not exist in ${accountNote}.`
					: `${binding} has id ${id}, which does not exist in ${accountNote}.`;
			return new Failure(code, text, {...details, why: message});
		}
		if (failure.code !== 'credential_refused' || !description) return failure;
		const {what, from} = description;
		const sentNote = `Sent with: ${what}, from ${from}${account === undefined ? '' : `, for the account ${account.label}`}.`;
		return failure.withDetails({why: [failure.details.why, sentNote].filter(Boolean).join('\n')});
	}

	const getCredentials = async (): Promise<CredentialSource> => {
		const {createCredentialSource, getChoiceKey} = await import('../credentials/source.ts');
		const choice = await getChoice();
		const choiceKey = getChoiceKey(choice, startFolder);
		const sharedSource = choiceKey === undefined ? undefined : shared.get(choiceKey);
		if (sharedSource) return sharedSource;
		const newSource = createCredentialSource(choice, {
			env: {...env, ...pickHomeVariables((await sources()).variables)},
			startFolder,
			now: () => new Date(now()),
			notice: sentence => (events.notice ?? events.warn)(sentence),
			onStderr: text => events.helperErrors?.(text),
			lendTerminal: lendTerminal ?? (work => work(false)),
		});
		if (choiceKey !== undefined) shared.set(choiceKey, newSource);
		return newSource;
	};

	/** Finds the account chosen in wrangler for the current login. */
	const findLoginAccount = async (): Promise<ActiveAccount | undefined> => {
		const choice = await getChoice();
		if (choice.source !== 'login') return undefined;
		const {findChosenAccount} = await import('../credentials/chosen-account.ts');
		const {variables} = await sources();
		const chosenAccount = findChosenAccount(choice.profile.name, cwd, variables);
		return (
			chosenAccount && {
				id: chosenAccount.id,
				label: chosenAccount.name || chosenAccount.id,
				from: 'chosen in wrangler',
			}
		);
	};

	return {
		getChoice,
		getCredentials,
		findLoginAccount,
		explainFailure,
	};
}
