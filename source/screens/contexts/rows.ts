import type {Account} from '../../service/accounts.ts';
import type {Choices} from '../../session/parts.ts';
import {isChosen, type Restart} from '../../session/restarted.ts';
import type {Context} from '../../settings/contexts/context.ts';
import type {WrittenPlace} from '../../settings/contexts/production.ts';
import type {Target} from '../../settings/target.ts';
import {declareList} from '../list/declared.ts';
import type {Connection} from '../shell/connection-slice.ts';

/** A context, account, environment or target that can be chosen. */
export type PlaceRow = {
	readonly key: string;
	readonly what: 'context' | 'account' | 'environment' | 'target' | 'start';
	readonly name: string;
	/** Account id. */
	readonly id?: string | undefined;
	readonly about: string;
	/** True for the active one. */
	readonly isHere: boolean;
	readonly isProduction: boolean;
	readonly into: Restart;
};

type Found = {
	readonly connection: Connection;
	readonly contexts: readonly Context[];
	readonly accounts: readonly Account[];
	/** Data shown: of the service, or local. */
	readonly shows: Target;
	/** Earlier choices in the screens. */
	readonly choices: Choices;
	production(place: WrittenPlace): Context | undefined;
};

/** Builds a row for everything that can be chosen. With `--simulate` nothing real is offered. */
export function placeRows(found: Found): readonly PlaceRow[] {
	const {connection, choices} = found;
	if (connection.simulated && !choices.isSimulated) return [{...simulatedRow(true), about: alone}];
	return [
		...contextRows(found),
		...(connection.simulated ? [] : accountRows(found)),
		...environmentRows(found),
		...targetRows(found),
		...(isChosen(choices) ? [asStarted] : []),
	];
}

function contextRows({connection: {context: inForce, accountId}, contexts}: Found): readonly PlaceRow[] {
	/** False if another account was chosen in the context: choosing the context returns to its own. */
	const isInForce = (context: Context) =>
		context.name === inForce?.name &&
		(accountId === undefined || (context.accountId ?? accountId) === accountId);
	const rows = contexts.map(
		(context): PlaceRow => ({
			key: `context ${context.name}`,
			what: 'context',
			name: context.name,
			id: context.accountId,
			about: signInWords(context),
			isHere: isInForce(context),
			isProduction: context.production,
			into: {to: 'context', name: context.name},
		}),
	);
	if (!inForce) return rows;
	const none = 'what folder, variables and options say';
	return [...rows, row('context', 'no context', none, false, {to: 'context', name: undefined})];
}

const accountRows = ({connection, accounts, production}: Found): readonly PlaceRow[] =>
	accounts.map(({id, name}) => ({
		key: `account ${id}`,
		what: 'account',
		name: name || id,
		id,
		about: 'of this credential',
		isHere: connection.accountId === id,
		isProduction: production({accountId: id}) !== undefined,
		into: {to: 'account', account: {id, label: name || id}},
	}));

function environmentRows({connection: {configuration}}: Found): readonly PlaceRow[] {
	if (!configuration || configuration.environments.length === 0) return [];
	const {file, environment, environments} = configuration;
	const about = `of ${file}`;
	const into = (name: string | undefined): Restart => ({to: 'environment', name});
	return [
		row('environment', 'top level', about, environment === undefined, into(undefined)),
		...environments.map(name => row('environment', name, about, name === environment, into(name))),
	];
}

function targetRows({connection: {simulated, address, localData}, shows}: Found): readonly PlaceRow[] {
	const local = localData.shownAs || 'of your dev server';
	return [
		row('target', 'the service', simulated ? '' : address.value, !simulated && shows === 'remote', {
			to: 'target',
			target: 'remote',
		}),
		row('target', 'local data', local, !simulated && shows === 'local', {to: 'target', target: 'local'}),
		simulatedRow(simulated),
	];
}

const alone = 'because of --simulate; start ledge without it to choose an account';

const simulatedRow = (isHere: boolean): PlaceRow =>
	row('target', 'simulated service', 'try everything, without an account', isHere, {to: 'simulated'});

const asStarted = row('start', 'as started', 'drops what was chosen here', false, {to: 'as started'});

function row(what: PlaceRow['what'], name: string, about: string, isHere: boolean, into: Restart): PlaceRow {
	return {key: `${what} ${name}`, what, name, about, isHere, isProduction: false, into};
}

/** Describes how a context signs in. */
function signInWords({profile, credentialCommand, tokenVariable}: Context): string {
	if (profile !== undefined) return `profile ${profile}`;
	if (credentialCommand) return `credential command ${credentialCommand[0]}`;
	return tokenVariable === undefined ? 'the credential of this folder' : `token in ${tokenVariable}`;
}

export const placeList = declareList({
	slice: state => state.contexts,
	screen: 'contexts',
	group: 'Contexts',
	id: 'contexts',
	row: 'row',
	key: ({key}: PlaceRow) => key,
	texts: ({what, name, id, about, isProduction}) => [what, name, id, about, isProduction ? 'PRODUCTION' : ''],
});

export const {visible: visiblePlaces, selected: selectedPlace} = placeList;
