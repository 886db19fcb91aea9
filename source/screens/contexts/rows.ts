import type {Account} from '../../service/accounts.ts';
import type {SessionChoices} from '../../session/parts.ts';
import {hasChoices, type Restart} from '../../session/restart.ts';
import type {Context} from '../../settings/contexts/context.ts';
import type {WrittenPlace} from '../../settings/contexts/production.ts';
import type {Target} from '../../settings/target.ts';
import {declareList} from '../list/declared.ts';
import type {Connection} from '../shell/connection-slice.ts';

/** A context, account, environment or target that can be chosen. */
export type PlaceRow = {
	readonly key: string;
	readonly kind: 'context' | 'account' | 'environment' | 'target' | 'start';
	readonly name: string;
	/** Account id. */
	readonly id?: string | undefined;
	readonly details: string;
	/** True for the active one. */
	readonly isActive: boolean;
	readonly isProduction: boolean;
	readonly restartTarget: Restart;
};

type PlaceRowSources = {
	readonly connection: Connection;
	readonly contexts: readonly Context[];
	readonly accounts: readonly Account[];
	/** Data shown: of the service, or local. */
	readonly shownData: Target;
	/** Earlier choices in the screens. */
	readonly choices: SessionChoices;
	findProduction(place: WrittenPlace): Context | undefined;
};

/** Builds a row for everything that can be chosen. With `--simulate` nothing real is offered. */
export function buildPlaceRows(sources: PlaceRowSources): readonly PlaceRow[] {
	const {connection, choices} = sources;
	if (connection.simulated && !choices.isSimulated)
		return [{...buildSimulatedRow(true), details: simulateOnlyNote}];
	return [
		...buildContextRows(sources),
		...(connection.simulated ? [] : buildAccountRows(sources)),
		...buildEnvironmentRows(sources),
		...buildTargetRows(sources),
		...(hasChoices(choices) ? [restartRow] : []),
	];
}

function buildContextRows({
	connection: {context: activeContext, accountId},
	contexts,
}: PlaceRowSources): readonly PlaceRow[] {
	/** False too if another account was chosen since: choosing the context returns to its own one. */
	const isActiveContext = (context: Context) =>
		context.name === activeContext?.name &&
		(accountId === undefined || (context.accountId ?? accountId) === accountId);
	const rows = contexts.map(
		(context): PlaceRow => ({
			key: `context ${context.name}`,
			kind: 'context',
			name: context.name,
			id: context.accountId,
			details: describeSignIn(context),
			isActive: isActiveContext(context),
			isProduction: context.production,
			restartTarget: {to: 'context', name: context.name},
		}),
	);
	if (!activeContext) return rows;
	const noContextNote = 'use the folder, variables and options';
	return [
		...rows,
		createPlaceRow('context', 'no context', noContextNote, false, {to: 'context', name: undefined}),
	];
}

const buildAccountRows = ({connection, accounts, findProduction}: PlaceRowSources): readonly PlaceRow[] =>
	accounts.map(({id, name}) => ({
		key: `account ${id}`,
		kind: 'account',
		name: name || id,
		id,
		details: 'from this credential',
		isActive: connection.accountId === id,
		isProduction: findProduction({accountId: id}) !== undefined,
		restartTarget: {to: 'account', account: {id, label: name || id}},
	}));

function buildEnvironmentRows({connection: {configuration}}: PlaceRowSources): readonly PlaceRow[] {
	if (!configuration || configuration.environments.length === 0) return [];
	const {file, environment, environments} = configuration;
	const details = `in ${file}`;
	const createRestart = (name: string | undefined): Restart => ({to: 'environment', name});
	return [
		createPlaceRow('environment', 'top level', details, environment === undefined, createRestart(undefined)),
		...environments.map(name =>
			createPlaceRow('environment', name, details, name === environment, createRestart(name)),
		),
	];
}

function buildTargetRows({
	connection: {simulated, address, localData},
	shownData,
}: PlaceRowSources): readonly PlaceRow[] {
	const localFolder = localData.shownAs || 'from your dev server';
	return [
		createPlaceRow(
			'target',
			'the service',
			simulated ? '' : address.value,
			!simulated && shownData === 'remote',
			{
				to: 'target',
				target: 'remote',
			},
		),
		createPlaceRow('target', 'local data', localFolder, !simulated && shownData === 'local', {
			to: 'target',
			target: 'local',
		}),
		buildSimulatedRow(simulated),
	];
}

const simulateOnlyNote = 'restart without --simulate to leave it';

const buildSimulatedRow = (isActive: boolean): PlaceRow =>
	createPlaceRow('target', 'simulated service', 'try everything without an account', isActive, {
		to: 'simulated',
	});

const restartRow = createPlaceRow('start', 'initial settings', 'undoes the choices made here', false, {
	to: 'as started',
});

function createPlaceRow(
	kind: PlaceRow['kind'],
	name: string,
	details: string,
	isActive: boolean,
	restartTarget: Restart,
): PlaceRow {
	return {
		key: `${kind} ${name}`,
		kind,
		name,
		details,
		isActive,
		isProduction: false,
		restartTarget,
	};
}

/** Describes how a context signs in. */
function describeSignIn({profile, credentialCommand, tokenVariable}: Context): string {
	if (profile !== undefined) return `profile ${profile}`;
	if (credentialCommand) return `credential command ${credentialCommand[0]}`;
	return tokenVariable === undefined ? "this folder's credential" : `token in ${tokenVariable}`;
}

export const placeList = declareList({
	getSlice: state => state.contexts,
	screen: 'contexts',
	group: 'Contexts',
	id: 'contexts',
	rowLabel: 'row',
	getKey: ({key}: PlaceRow) => key,
	getTexts: ({kind, name, details, isProduction}) => [kind, name, details, isProduction ? 'PRODUCTION' : ''],
	getIds: ({id}) => [id],
});

export const {listVisible: listVisiblePlaces, getSelected: getSelectedPlace} = placeList;
