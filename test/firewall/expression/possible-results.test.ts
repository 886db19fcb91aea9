import {expect, test} from 'vitest';
import {classifySources} from '../../../source/firewall/expression/expressions.ts';

test.each([
	['ip.src eq 192.0.2.1', 'named'],
	['ip.src in {192.0.2.0/24 2001:db8::/32}', 'named'],
	['ip.src in {10.0.0.0/8}', 'named'],
	['ip.src in $blocked', 'named'],
	['ip.src eq 192.0.2.1 and http.request.uri.path eq "/a"', 'named'],
	['ip.src eq 192.0.2.1 and not ssl', 'named'],
	['(ip.src eq 192.0.2.1 or ip.src eq 192.0.2.2) and ip.src.country ne "DE"', 'named'],
	['not ip.src ne 192.0.2.1', 'named'],
	['ip.src in {0.0.0.0/1}', 'large'],
	['ip.src in {::/3}', 'large'],
	['ip.src in {11.0.0.0..13.0.0.0}', 'large'],
	['ip.src in {8.0.0.0/7} and http.request.uri.path eq "/a"', 'large'],
	['ip.src eq 192.0.2.1 or http.request.uri.path eq "/a"', 'anywhere'],
	['http.request.uri.path eq "/wp-login.php"', 'anywhere'],
	['ip.src.country eq "XX"', 'anywhere'],
	['ip.src.asnum eq 64500', 'anywhere'],
	['ip.src.country eq "XX" and http.request.uri.path eq "/a"', 'anywhere'],
	['http.host eq "a.example"', 'anywhere'],
	['http.user_agent contains "bot"', 'anywhere'],
	['not ip.src in {192.0.2.0/24}', 'anywhere'],
	['ip.src ne 192.0.2.1', 'anywhere'],
	['ip.src eq 192.0.2.1 xor ssl', 'anywhere'],
	['true', 'anywhere'],
	['ip.src eq', 'anywhere'],
])('%s matches requests from: %s', (expression, sources) => {
	expect(classifySources(expression)).toBe(sources);
});
