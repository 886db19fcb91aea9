import {describeMigrationState, isUnfinishedMigration} from '../../../migration/journal/unfinished.ts';
import {isReviewedUnsent} from '../../../migration/machine/states.ts';
import type {StateWith} from '../../../store/ledge-store.ts';
import type {App} from '../../shell/app.ts';
import {
	createZoneTarget,
	type ScreenDefinition,
	type SessionJob,
	type UnfinishedInput,
} from '../../shell/screen.ts';
import {commonTextKeys} from '../../shell/text-keys.ts';
import type {NamedZone} from '../controller.ts';
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

/** Lists the reviews that were not sent: that of the open migration, and those in other journals. */
function listReviewsNotSent({
	jobs: {data: jobs},
	migration: {data: migration},
}: StateWith<'jobs' | 'migration'>): readonly UnfinishedInput[] {
	const storedZones = jobs.reviewedMigrations.flatMap(one =>
		'zone' in one && one.zone.id !== migration?.zone.id ? [one.zone] : [],
	);
	const isOpenReview =
		migration && isReviewedUnsent(migration.record.state) && !hasUnreviewedEdits(migration);
	return [...(isOpenReview ? [migration.zone] : []), ...storedZones].map(zone => ({
		id: `reviewed ${zone.id}`,
		text: `not sent: reviewed migration of ${zone.name}`,
		open: app => askAboutReview(app, zone),
	}));
}

function askAboutReview(app: App, zone: NamedZone): void {
	const {state} = app;
	state().dialog.open({
		kind: 'choice',
		title: `The reviewed migration of ${zone.name} was not sent`,
		lines: [],
		choices: [
			{value: 'on', label: 'Continue'},
			{value: 'later', label: 'Keep the review for later'},
			{value: 'discard', label: 'Discard the review'},
		],
		choose(value) {
			if (value === 'on') openMigrationById(app, zone);
			if (value === 'discard') void state().migration.discardReview(zone);
		},
	});
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
	discardOpenForm: state => state.migration.discardEdits(),
	listUnfinished: listReviewsNotSent,
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
