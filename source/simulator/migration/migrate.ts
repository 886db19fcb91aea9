import {refuseBelow} from '../accounts/plan-lacks.ts';
import {refuse} from '../http/answer.ts';
import type {Ask} from '../http/route.ts';
import {setStage} from '../waf/stored-stage.ts';
import {refuseBeyondLimits, refuseUnlessCompatible} from './eligibility.ts';
import {migratingZone} from './migrating-zone.ts';
import {isPhaseTwo} from './routes.ts';

type MigrationMode = 'validation' | 'pending';

const modes: Readonly<Record<string, MigrationMode>> = {
	pending: 'pending',
	'1': 'pending',
	validation: 'validation',
	'2': 'validation',
};

/** Reads `waf_migration` of a PUT; undefined without it. */
export function migrationMode({query}: Ask): MigrationMode | undefined {
	const given = query.get('waf_migration');
	if (given === null) return undefined;
	return Object.hasOwn(modes, given)
		? modes[given]
		: refuse(400, {message: `waf_migration must be one of ${Object.keys(modes).join(', ')}`});
}

/** Refuses a migration that is not possible. */
export function checkMigration(ask: Ask, mode: MigrationMode): void {
	const zone = migratingZone(ask);
	if (zone.stage === 'complete')
		refuse(400, {message: 'the migration of the zone is already complete and cannot be reversed'});
	if (zone.stage === 'pending') refuse(400, {message: 'the zone is already migrating'});
	if (mode === 'validation') refuseBelow(zone.plan, 'enterprise', 'the validation mode');
	refuseUnlessCompatible(zone, isPhaseTwo(ask));
	refuseBeyondLimits(zone);
}

/** Starts the migration or its validation, after the new configuration is saved. */
export function beginMigration(ask: Ask, mode: MigrationMode): void {
	const {id, stage, record} = migratingZone(ask);
	const before = stage === mode ? record?.before : stage;
	setStage(ask.world.resources, id, {
		state: mode,
		since: ask.now,
		...(mode === 'pending' && {until: ask.now + ask.migrationMilliseconds}),
		...(before && {before}),
	});
}
