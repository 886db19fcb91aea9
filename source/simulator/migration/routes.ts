import type {JsonObject} from '../../text/json.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import type {Ask, Route} from '../http/route.ts';
import {isCompatible, refuseBeyondLimits} from './eligibility.ts';
import {type MigratingZone, migratingZone} from './migrating-zone.ts';
import {proposal} from './proposal.ts';

const path = '/zones/:zone/waf_migration';

/** Routes that read about the migration of a zone. */
export const migrationRoutes: readonly Route[] = [
	{method: 'GET', path: `${path}/check`, grant: 'waf:read', answer: check},
	{method: 'GET', path: `${path}/config`, grant: 'waf:read', answer: config},
	{method: 'GET', path: `${path}/status`, grant: 'waf:read', answer: status},
];

/** True if a request is for phase two of the migration. */
export const isPhaseTwo = ({query}: Ask): boolean => query.get('phase_two') === '1';

/** Answers eligibility; an incompatible zone has no `migration_state`. */
function check(ask: Ask): Answer {
	const zone = migratingZone(ask);
	const isBegun = zone.stage !== 'start';
	if (!isBegun && !isCompatible(zone, isPhaseTwo(ask))) return done({compatible: false});
	return done({compatible: isBegun || isCompatible(zone, isPhaseTwo(ask)), migration_state: said(ask, zone)});
}

function config(ask: Ask): Answer {
	const zone = migratingZone(ask);
	if (zone.stage === 'pending' || zone.stage === 'complete')
		refuse(400, {message: `there is nothing to propose: the migration is ${zone.stage}`});
	refuseBeyondLimits(zone);
	if (!zone.seed) return done(proposal(zone));
	return done(zone.seed.proposed ?? refuse(404, {message: 'no configuration is proposed for the zone'}));
}

function status(ask: Ask): Answer {
	const zone = migratingZone(ask);
	const {record} = zone;
	const stage = said(ask, zone);
	return done({
		created: new Date(record?.since ?? Date.parse('2024-03-01T09:30:00Z')).toISOString(),
		migration_state: stage,
		new_waf_status: stage === 'start' ? 'disabled' : 'enabled',
		old_waf_status: stage !== 'complete' && zone.waf.isOn ? 'enabled' : 'disabled',
		source: record ? 'zone' : 'defaults',
	} satisfies JsonObject);
}

/** Returns the reported stage: a fault may delay it, or replace it by an unknown one. */
function said({quirks}: Ask, {stage, record}: MigratingZone): string {
	const other = quirks.otherStage();
	if (other !== undefined) return other;
	return quirks.staleStage() ? (record?.before ?? 'start') : stage;
}
