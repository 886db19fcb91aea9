import {describeMigrationState, isUnfinishedMigration} from '../../../migration/journal/unfinished.ts';
import type {App} from '../../shell/app.ts';
import {createZoneTarget, type ScreenDefinition, type SessionJob} from '../../shell/screen.ts';
import {commonTextKeys} from '../../shell/text-keys.ts';
import {hasUnreviewedEdits, listLeavingWarnings} from '../messages.ts';
import {isMigrationTyping, type MigrationState} from '../state.ts';
import {withDrawnMigration} from '../throttle.ts';
import {openMigrationById} from './open-migration.ts';

function buildMigrationJob({zone, record}: MigrationState): SessionJob | undefined {
	if (!isUnfinishedMigration(record)) return undefined;
	const title = `migration of ${zone.name}`;
	return {
		id: zone.id,
		title,
		name: title,
		done: undefined,
		total: undefined,
		about: describeMigrationState(record),
		zone,
	};
}

export const migrationScreen: ScreenDefinition = {
	group: 'Migration',
	label: 'the migration',
	buildPath: (_before, {migration: {data: migration}}) => ['ledge', 'migration', migration?.zone.name ?? ''],
	getTarget: (_before, {migration: {data: migration}}) => createZoneTarget(migration?.zone),
	getZone: ({migration: {data: migration}}) => migration?.zone,
	textInput: {
		isTyping: ({migration: {data: migration}}) => migration !== undefined && isMigrationTyping(migration),
		handleKey: (state, key) => state.migration.type(key),
		listKeys: () => commonTextKeys,
	},
	getDrawnState: withDrawnMigration,
	onResize: state => state.migration.resetFurthestTops(),
	staysOpen: () => true,
	getOpenForm: ({migration: {data: migration}}) =>
		migration && hasUnreviewedEdits(migration) ? `migration of ${migration.zone.name}` : undefined,
	listUnfinished: ({jobs: {data: jobs}, migration: {data: migration}}) =>
		jobs.reviewedMigrations.flatMap(one =>
			'zone' in one && one.zone.id !== migration?.zone.id
				? [
						{
							id: `reviewed ${one.id}`,
							text: `not sent: reviewed migration of ${one.zone.name}`,
							open: (app: App) => openMigrationById(app, one.zone),
						},
					]
				: [],
		),
	/** A PUT that is under way continues. Edits that were not reviewed become a draft. */
	getUnsaved(state) {
		const migration = state.migration.data;
		const isDraft = state.migration.hasUnreviewedEdits();
		const lines = migration ? listLeavingWarnings(migration) : [];
		return lines.length > 0 || isDraft ? {lines, isDraft} : undefined;
	},
	isSending: ({migration: {data: migration}}) => migration?.phase.name === 'sending',
	end: state => state.migration.end(),
	async release(state) {
		const migration = state.migration.data;
		return migration && (await state.migration.close()) ? buildMigrationJob(migration)?.name : undefined;
	},
	getQuitMessage: state => state.migration.getQuitMessage(),
	job: {
		getRow: ({migration: {data: migration}}) => migration && buildMigrationJob(migration),
		resume(app, {zone}) {
			if (zone) openMigrationById(app, zone);
		},
	},
};
