import { describeTwoServers } from './two-servers/seeds.ts';

describeTwoServers(1);
