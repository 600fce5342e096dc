# Lists orders page by page and checks the tickets of the last one in, with a client that OpenAPI::Client makes of the description.
#
#   perl check-in-order.pl URL KEY
use strict;
use warnings;
use OpenAPI::Client;

my ($url, $key) = @ARGV;
my $client = OpenAPI::Client->new("$url/api/v1/openapi.json");
$client->ua->on(start => sub { $_[1]->req->headers->authorization("Bearer $key") });

sub answer_of {
  my ($tx) = @_;
  my $json = $tx->res->json;
  return $json if $tx->res->is_success;
  die ref $json eq 'HASH' && ref $json->{error} ? "$json->{error}{code}\n" : $tx->error->{message} . "\n";
}

my ($after, $order);
do {
  my $page = answer_of($client->listOrders({limit => 2, $after ? (after => $after) : ()}));
  for (@{$page->{data}}) {
    $order = $_;
    print "order $order->{state} $order->{total_cents}\n";
  }
  $after = $page->{next_cursor};
} while $after;

for my $ticket (@{answer_of($client->listTickets({order_id => $order->{id}}))->{data}}) {
  my $checked = answer_of($client->checkInTicket({ticket_id => $ticket->{id}}, json => {}));
  print "ticket $checked->{result}\n";
}

eval { answer_of($client->readEvent({event_id => 'none'})) };
print "denied $@";
