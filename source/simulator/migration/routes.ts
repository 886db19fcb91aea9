import type {JsonObject} from '../../text/json.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import type {RequestContext, Route} from '../http/route.ts';
import {isCompatible, requireWithinLimits} from './eligibility.ts';
import {getMigratingZone, type MigratingZone} from './migrating-zone.ts';
import {buildProposal} from './proposal.ts';

const path = '/zones/:zone/waf_migration';

/** Read-only routes for the migration of a zone. */
export const migrationRoutes: readonly Route[] = [
	{method: 'GET', path: `${path}/check`, grant: 'waf:read', answer: answerCheck},
	{method: 'GET', path: `${path}/config`, grant: 'waf:read', answer: answerConfig},
	{method: 'GET', path: `${path}/status`, grant: 'waf:read', answer: answerStatus},
];

/** True if a request is for phase two of the migration. */
export const isPhaseTwo = ({query}: RequestContext): boolean => query.get('phase_two') === '1';

/** Answers eligibility; an incompatible zone has no `migration_state`. */
function answerCheck(context: RequestContext): ServiceAnswer {
	const zone = getMigratingZone(context);
	const hasStarted = zone.stage !== 'start';
	if (!hasStarted && !isCompatible(zone, isPhaseTwo(context))) return buildSuccessAnswer({compatible: false});
	return buildSuccessAnswer({
		compatible: hasStarted || isCompatible(zone, isPhaseTwo(context)),
		migration_state: getReportedStage(context, zone),
	});
}

function answerConfig(context: RequestContext): ServiceAnswer {
	const zone = getMigratingZone(context);
	if (zone.stage === 'pending' || zone.stage === 'complete')
		refuseRequest(400, {message: `there is nothing to propose: the migration is ${zone.stage}`});
	requireWithinLimits(zone);
	if (!zone.seed) return buildSuccessAnswer(buildProposal(zone));
	return buildSuccessAnswer(
		zone.seed.proposed ?? refuseRequest(404, {message: 'no configuration is proposed for the zone'}),
	);
}

function answerStatus(context: RequestContext): ServiceAnswer {
	const zone = getMigratingZone(context);
	const {record} = zone;
	const stage = getReportedStage(context, zone);
	return buildSuccessAnswer({
		created: new Date(record?.since ?? Date.parse('2024-03-01T09:30:00Z')).toISOString(),
		migration_state: stage,
		new_waf_status: stage === 'start' ? 'disabled' : 'enabled',
		old_waf_status: stage !== 'complete' && zone.previousWaf.isOn ? 'enabled' : 'disabled',
		source: record ? 'zone' : 'defaults',
	} satisfies JsonObject);
}

/** Returns the stage to report: a fault may report the previous one, or any other. */
function getReportedStage({quirks}: RequestContext, {stage, record}: MigratingZone): string {
	const forcedStage = quirks.getForcedStage();
	if (forcedStage !== undefined) return forcedStage;
	return quirks.hasStaleStage() ? (record?.before ?? 'start') : stage;
}
