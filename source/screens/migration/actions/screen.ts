import {isUnfinished, standingInWords} from '../../../migration/journal/unfinished.ts';
import {onZone, type ScreenDefinition, type SessionJob} from '../../shell/screen.ts';
import {anyText} from '../../shell/text-keys.ts';
import {isMigrationLost, migrationLeavingLines} from '../leaving.ts';
import {isMigrationTyping, type MigrationState} from '../state.ts';
import {asDrawn} from '../throttle.ts';
import {openMigrationOf} from './opening.ts';

function jobOf({zone, record}: MigrationState): SessionJob | undefined {
	if (!isUnfinished(record)) return undefined;
	const title = `migration of ${zone.name}`;
	return {
		id: zone.id,
		title,
		name: title,
		done: undefined,
		total: undefined,
		about: standingInWords(record),
		zone,
	};
}

export const migrationScreen: ScreenDefinition = {
	group: 'Migration',
	called: 'the migration',
	path: (_before, {migration: {data: migration}}) => ['ledge', 'migration', migration?.zone.name ?? ''],
	actsOn: (_before, {migration: {data: migration}}) => onZone(migration?.zone),
	text: {
		isTyping: ({migration: {data: migration}}) => migration !== undefined && isMigrationTyping(migration),
		type: (state, key) => state.migration.type(key),
		keys: () => anyText,
	},
	drawn: asDrawn,
	resized: state => state.migration.forgetSeen(),
	openForm: ({migration: {data: migration}}) =>
		migration && isMigrationLost(migration) ? `migration of ${migration.zone.name}` : undefined,
	/** A PUT under way continues; edits that were not reviewed are a draft. */
	unsaved(state) {
		const migration = state.migration.data;
		const isDraft = state.migration.isTouched();
		const lines = migration ? migrationLeavingLines(migration) : [];
		return lines.length > 0 || isDraft ? {lines, isDraft} : undefined;
	},
	isSending: ({migration: {data: migration}}) => migration?.phase.name === 'sending',
	end: state => state.migration.end(),
	async letGo(state) {
		const migration = state.migration.data;
		return migration && (await state.migration.close()) ? jobOf(migration)?.name : undefined;
	},
	lastWords: state => state.migration.lastWords(),
	job: {
		row: ({migration: {data: migration}}) => migration && jobOf(migration),
		resume(app, {zone}) {
			if (zone) openMigrationOf(app, zone);
		},
	},
};
