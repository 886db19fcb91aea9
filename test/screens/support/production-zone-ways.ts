import {lookingTime} from '../../../source/screens/review/state.ts';
import {confirm, toConfirmation, toEligibility} from './migration-ways.ts';
import {answer, submit, take, type Walk} from './production-ways.ts';
import {ruleZone, toBlock, toEmergency, toReview, toRules} from './rule-ways.ts';
import {homeOf} from './sample-ways.ts';
import {lookAndEnterAt} from './ways.ts';

const inZone = /In Acme \(simulated\) › zone acme/;
const rule = 'ip.src eq 192.0.2.9';

/** Every write that the screens make to a zone, by what is written to. */
export const zoneWalks: Readonly<Record<string, Walk>> = {
	'firewall rules': {
		options: {zone: ruleZone},
		to: toRules,
		steps: [
			{
				does: ['firewall.pause'],
				begins: screen => answer(screen, 'p', 'Pause this rule?'),
				where: inZone,
				sends: /^PUT .*\/firewall\/rules\//,
				ends: 'The rule is paused',
			},
			{
				does: ['firewall.priority'],
				async begins(screen) {
					await submit(screen, 'o', 'Priority of rule 1', '7');
					await screen.waitFor('Set its priority to');
					screen.press('y');
				},
				where: inZone,
				sends: /^P\w+ .*\/firewall\/rules/,
				ends: /has the priority \d+ now/,
			},
			{
				does: ['firewall.delete'],
				async begins(screen) {
					screen.press('d');
					await take(screen, 'Delete the rule');
				},
				where: inZone,
				sends: /^DELETE .*\/firewall\/rules\//,
				ends: /The rule .*deleted/,
			},
			{
				does: ['wizard.send'],
				async begins(screen) {
					await toReview(screen, rule);
					await lookAndEnterAt(screen, '⏎ send it');
				},
				again: screen => lookAndEnterAt(screen, '⏎ send it'),
				where: inZone,
				sends: /^POST .*\/filters$/,
				faults: 'status=400 path=/firewall/rules',
				ends: 'Delete the filter again',
			},
			{
				does: ['wizard.choose'],
				async begins(screen) {
					await screen.settled('Delete the filter again', {quiet: lookingTime + 100});
					await take(screen, 'Delete the filter again');
				},
				where: inZone,
				sends: /^DELETE .*\/filters\//,
				ends: '▸ Done',
			},
			{
				does: ['emergency.send'],
				async begins(screen) {
					await lookAndEnterAt(screen, '▸ Done');
					await screen.waitFor('! emergency');
					await toEmergency(screen);
					await toBlock(screen, rule);
					await lookAndEnterAt(screen, 'SEND IT');
				},
				again: screen => lookAndEnterAt(screen, 'SEND IT'),
				where: inZone,
				sends: /^POST .*\/firewall\/rules$/,
				ends: 'In force: rule',
			},
			{
				does: ['emergency.undo'],
				async begins(screen) {
					await screen.settled('In force: rule', {quiet: lookingTime + 100});
					screen.press('u');
				},
				where: inZone,
				sends: /^DELETE .*\/firewall\/rules\//,
				ends: 'Undone. Rule',
			},
		],
	},
	'a migration': {
		options: {zone: ruleZone},
		async to(screen) {
			await homeOf(screen);
			await toConfirmation(screen, 'Direct');
		},
		steps: [
			{
				does: ['migration.confirm'],
				async begins(screen) {
					await screen.settled("Type the zone's name");
					await confirm(screen, {name: ruleZone});
				},
				where: inZone,
				sends: /^PUT .*\/entrypoint$/,
				ends: 'is migrated',
			},
		],
	},
	'an override': {
		options: {zone: 'acme-legacy.example'},
		async to(screen) {
			await homeOf(screen);
			await toEligibility(screen);
			screen.press('enter');
			await screen.waitFor('URI-based override');
			while (!screen.lines().some(line => /▸ +◆/.test(line))) await screen.answerTo('down');
		},
		steps: [
			{
				does: ['migration.delete-override'],
				begins: screen => answer(screen, 'd', 'Delete this override?'),
				where: inZone,
				sends: /^DELETE .*\/overrides\//,
				ends: '2 URI-based overrides',
			},
		],
	},
};
