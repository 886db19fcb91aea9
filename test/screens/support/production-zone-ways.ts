import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {confirm, toConfirmation, toEligibility} from './migration-ways.ts';
import {answer, submit, take, type Walk} from './production-ways.ts';
import {ruleZone, toBlock, toEmergency, toReview, toRules, toWizard, typeExpression} from './rule-ways.ts';
import {homeOf} from './sample-ways.ts';
import {lookAndEnterAt} from './ways.ts';

const inZone = /In Acme \(simulated\) › zone acme/;
const inDone = /In Acme \(simulated\) › zone done/;
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
				ends: /now has priority \d+/,
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
					await lookAndEnterAt(screen, '⏎ send');
				},
				again: screen => lookAndEnterAt(screen, '⏎ send'),
				where: inZone,
				sends: /^POST .*\/filters$/,
				faults: 'status=400 path=/firewall/rules',
				ends: 'Delete the filter',
			},
			{
				does: ['wizard.choose'],
				async begins(screen) {
					await screen.settled('Delete the filter', {quiet: minReviewMs + 100});
					await take(screen, 'Delete the filter');
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
					await lookAndEnterAt(screen, '⏎ send');
				},
				again: screen => lookAndEnterAt(screen, '⏎ send'),
				where: inZone,
				sends: /^POST .*\/firewall\/rules$/,
				ends: 'Active: rule',
			},
			{
				does: ['emergency.undo'],
				async begins(screen) {
					await screen.settled('Active: rule', {quiet: minReviewMs + 100});
					screen.press('u');
				},
				where: inZone,
				sends: /^DELETE .*\/firewall\/rules\//,
				ends: 'Undone. Rule',
			},
		],
	},
	'custom rules': {
		options: {zone: 'done.acme.example'},
		async to(screen) {
			await homeOf(screen);
			screen.press('F');
			await screen.waitFor('rule 1 of 4');
		},
		steps: [
			{
				does: ['custom.send-move'],
				async begins(screen) {
					screen.press('o', 'down');
					await screen.waitFor('nothing has been sent');
					screen.press('enter');
				},
				async again(screen) {
					await screen.waitFor('send the new order');
					screen.press('enter');
				},
				where: inDone,
				sends: /^PATCH .*\/rules\//,
				ends: 'Rule moved to position 2 of 4',
			},
			{
				does: ['custom.pause'],
				begins: screen => answer(screen, 'p', 'Pause this rule?'),
				where: inDone,
				sends: /^PATCH .*\/rules\//,
				ends: 'The rule is paused',
			},
			{
				does: ['custom.resume'],
				begins: screen => answer(screen, 'p', 'Resume this rule?'),
				where: inDone,
				sends: /^PATCH .*\/rules\//,
				ends: 'The rule is active again',
			},
			{
				does: ['custom.undo'],
				begins: screen => answer(screen, 'u', 'Undo the last change?'),
				where: inDone,
				sends: /^PATCH .*\/rules\//,
				ends: 'Undone: The rule is active again',
			},
			{
				does: ['custom.delete'],
				begins: screen => answer(screen, 'd', 'Delete this rule?'),
				where: inDone,
				sends: /^DELETE .*\/rules\//,
				ends: 'Rule deleted',
			},
			{
				does: ['versions.restore'],
				async begins(screen) {
					screen.press('V');
					await screen.waitFor('is active.');
					screen.press('down');
					await screen.waitFor('Restoring version');
					await answer(screen, 'enter', 'Restore version');
				},
				where: inDone,
				sends: /^(?:PUT|POST) .*\/(?:entrypoint|rules)$/,
				ends: 'Restored version',
			},
			{
				does: ['customRule.send'],
				async begins(screen) {
					await toWizard(screen);
					await typeExpression(screen, rule);
					screen.press('enter');
					await screen.waitFor('leave empty for last');
					screen.press('enter');
					await screen.waitFor('exactly as');
					await lookAndEnterAt(screen, '⏎ send');
				},
				again: screen => lookAndEnterAt(screen, '⏎ send'),
				where: inDone,
				sends: /^POST .*\/rules$/,
				ends: /Custom rule .* \(block,\s+[0-9a-f]{32}\) created/,
			},
		],
	},
	'custom rules from firewall rules': {
		options: {zone: 'acme-shop.example'},
		async to(screen) {
			await homeOf(screen);
			screen.press('F');
			await screen.waitFor('rule 1 of 3');
			screen.press('m');
			await screen.waitFor('3 custom rules to create, nothing has been sent');
			screen.press('enter');
			await screen.waitFor('exactly as it will be sent');
		},
		steps: [
			{
				does: ['merge.send'],
				begins: screen => submit(screen, 'enter', 'Create 3 custom rules in', 'acme-shop.example'),
				where: /In Acme \(simulated\) › zone acme-shop/,
				sends: /^PUT .*\/entrypoint$/,
				ends: 'Created 3 custom rules: 3 in total',
			},
			{
				does: ['merge.delete'],
				async begins(screen) {
					await screen.settled();
					screen.press('d');
					await screen.waitFor('Delete 3 firewall rules from');
					await submit(screen, 'enter', 'To continue, type', 'acme-shop.example');
				},
				again: screen => submit(screen, 'enter', 'To continue, type', 'acme-shop.example'),
				where: /In Acme \(simulated\) › zone acme-shop/,
				sends: /^DELETE .*\/firewall\/rules\//,
				ends: 'Deleted 3 firewall rules',
			},
		],
	},
	'managed rules': {
		options: {zone: 'done.acme.example'},
		async to(screen) {
			await homeOf(screen);
			screen.press('W');
			await screen.waitFor('execute OWASP Core Ruleset');
		},
		steps: [
			{
				does: ['managed.send'],
				async begins(screen) {
					screen.press('s');
					await screen.waitFor('Which score threshold?');
					screen.press('down', 'enter');
					await screen.waitFor('1 unsent change');
					screen.press('enter');
					await screen.waitFor('exactly as it will be sent');
					await lookAndEnterAt(screen, '⏎ send');
				},
				again: screen => lookAndEnterAt(screen, '⏎ send'),
				where: inDone,
				sends: /^PATCH .*\/rules\//,
				ends: 'Changed managed rules, version 2',
			},
			{
				does: ['managed.undo-sent'],
				async begins(screen) {
					// The threshold is higher again: less protection.
					screen.press('u');
					await screen.waitFor('To continue, type');
					screen.type('done.acme.example');
					screen.press('enter');
				},
				where: inDone,
				sends: /^PATCH .*\/rules\//,
				ends: 'Undone: Changed managed rules',
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
			{
				does: ['migration.delete-overrides'],
				async begins(screen) {
					screen.press('D');
					await screen.waitFor('Delete 2 overrides?');
					while (screen.text().includes('(list')) await screen.answerTo('y');
					if (screen.text().includes('To continue, type')) {
						screen.type('acme-legacy.example');
						screen.press('enter');
					} else screen.press('y');
				},
				where: inZone,
				sends: /^DELETE .*\/overrides\//,
				ends: '3 overrides deleted',
			},
		],
	},
};
