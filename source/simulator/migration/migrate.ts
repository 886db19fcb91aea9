import {requirePlan} from '../accounts/missing-features.ts';
import {refuseRequest} from '../http/answer.ts';
import type {RequestContext} from '../http/route.ts';
import {setStageRecord} from '../waf/stored-stage.ts';
import {requireCompatible, requireWithinLimits} from './eligibility.ts';
import {getMigratingZone} from './migrating-zone.ts';
import {isPhaseTwo} from './routes.ts';

type MigrationMode = 'validation' | 'pending';

const modes: Readonly<Record<string, MigrationMode>> = {
	pending: 'pending',
	'1': 'pending',
	validation: 'validation',
	'2': 'validation',
};

/** Reads `waf_migration` of a PUT; undefined without it. */
export function readMigrationMode({query}: RequestContext): MigrationMode | undefined {
	const parameter = query.get('waf_migration');
	if (parameter === null) return undefined;
	return Object.hasOwn(modes, parameter)
		? modes[parameter]
		: refuseRequest(400, {message: `waf_migration must be one of ${Object.keys(modes).join(', ')}`});
}

/** Refuses a migration that is not possible. */
export function checkMigration(context: RequestContext, mode: MigrationMode): void {
	const zone = getMigratingZone(context);
	if (zone.stage === 'complete')
		refuseRequest(400, {message: 'the migration of the zone is already complete and cannot be reversed'});
	if (zone.stage === 'pending') refuseRequest(400, {message: 'the zone is already migrating'});
	if (mode === 'validation') requirePlan(zone.plan, 'enterprise', 'the validation mode');
	requireCompatible(zone, isPhaseTwo(context));
	requireWithinLimits(zone);
}

/** Starts the migration or its validation, after the new configuration is saved. */
export function beginMigration(context: RequestContext, mode: MigrationMode): void {
	const {id, stage, record} = getMigratingZone(context);
	const previousStage = stage === mode ? record?.before : stage;
	setStageRecord(context.world.resources, id, {
		state: mode,
		since: context.now,
		...(mode === 'pending' && {until: context.now + context.migrationMilliseconds}),
		...(previousStage && {before: previousStage}),
	});
}
