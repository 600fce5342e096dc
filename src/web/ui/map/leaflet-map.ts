/** The map itself, in a chunk of its own: Leaflet weighs as much as a whole screen. */
import * as L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import markerIcon from 'leaflet/dist/images/marker-icon.png';
import markerIcon2x from 'leaflet/dist/images/marker-icon-2x.png';
import markerShadow from 'leaflet/dist/images/marker-shadow.png';

const MAP_ZOOM = 13;
const TILES = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';

export type Place = { latitude: number; longitude: number };

export interface PinnedMap {
  show(place: Place): void;
  remove(): void;
}

interface Pin extends Place {
  label: string;
  onMove?: ((place: Place) => void) | undefined;
}

export function pinnedMap(container: HTMLElement, { latitude, longitude, label, onMove }: Pin): PinnedMap {
  // The wheel scrolls the page; the map has buttons, and drags. Leaflet makes its own buttons of HTML strings, which the policy of our pages refuses.
  const options = { scrollWheelZoom: false, zoomControl: false, attributionControl: false };
  const map = L.map(container, options).setView([latitude, longitude], MAP_ZOOM);
  L.tileLayer(TILES, { maxZoom: 19 }).addTo(map);
  control('topleft', zoomButtons(map)).addTo(map);
  control('bottomright', attribution()).addTo(map);

  const icon = L.icon({
    iconUrl: markerIcon,
    iconRetinaUrl: markerIcon2x,
    shadowUrl: markerShadow,
    iconSize: [25, 41],
    iconAnchor: [12, 41],
    popupAnchor: [1, -34],
    shadowSize: [41, 41],
  });
  const marker = L.marker([latitude, longitude], { icon, alt: label, draggable: Boolean(onMove) }).addTo(map);
  if (onMove) letPinMove(map, marker, onMove);
  else marker.bindPopup(textNode(label), { closeButton: false });

  // A map that opens inside a dialog, or grows with it, must be told its new size.
  const sizes = new ResizeObserver(() => map.invalidateSize());
  sizes.observe(container);

  return {
    show(place) {
      const there = L.latLng(place.latitude, place.longitude);
      marker.setLatLng(there);
      if (!map.getBounds().pad(-0.2).contains(there)) map.setView(there, map.getZoom());
    },
    remove() {
      sizes.disconnect();
      map.remove();
    },
  };
}

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** By dragging, or with the arrow keys while the pin has the focus: one pixel, ten with Shift. */
function letPinMove(map: L.Map, marker: L.Marker, onMove: (place: Place) => void) {
  const tell = () => onMove({ latitude: marker.getLatLng().lat, longitude: marker.getLatLng().lng });
  marker.on('dragend', tell);
  marker.getElement()?.addEventListener('keydown', (event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const reach = event.shiftKey ? 10 : 1;
    const at = map.latLngToContainerPoint(marker.getLatLng()).add([step[0] * reach, step[1] * reach]);
    marker.setLatLng(map.containerPointToLatLng(at));
    tell();
  });
}

function control(position: L.ControlPosition, element: HTMLElement): L.Control {
  L.DomEvent.disableClickPropagation(element);
  return Object.assign(new L.Control({ position }), { onAdd: () => element });
}

function zoomButtons(map: L.Map): HTMLElement {
  const bar = L.DomUtil.create('div', 'leaflet-control-zoom leaflet-bar');
  const button = (text: string, title: string, direction: 'in' | 'out', press: () => void) => {
    const link = L.DomUtil.create('a', `leaflet-control-zoom-${direction}`, bar);
    const sign = L.DomUtil.create('span', '', link);
    sign.textContent = text;
    sign.setAttribute('aria-hidden', 'true');
    link.href = '#';
    link.title = title;
    link.setAttribute('role', 'button');
    link.setAttribute('aria-label', title);
    link.addEventListener('click', (event) => {
      event.preventDefault();
      press();
    });
    return link;
  };
  const zoomIn = button('+', 'Zoom in', 'in', () => map.zoomIn());
  const zoomOut = button('−', 'Zoom out', 'out', () => map.zoomOut());
  const tellLimits = () => {
    for (const [link, isAtLimit] of [
      [zoomIn, map.getZoom() >= map.getMaxZoom()],
      [zoomOut, map.getZoom() <= map.getMinZoom()],
    ] as const) {
      link.classList.toggle('leaflet-disabled', isAtLimit);
      link.setAttribute('aria-disabled', String(isAtLimit));
    }
  };
  map.on('zoomend zoomlevelschange', tellLimits);
  tellLimits();
  return bar;
}

/** The words that OpenStreetMap asks for. */
function attribution(): HTMLElement {
  const words = L.DomUtil.create('div', 'leaflet-control-attribution');
  const link = L.DomUtil.create('a');
  link.href = 'https://www.openstreetmap.org/copyright';
  link.textContent = 'OpenStreetMap';
  words.append('© ', link, ' contributors');
  return words;
}

/** Leaflet reads a string as HTML, and a title is whatever an organizer typed. */
function textNode(text: string): HTMLElement {
  const element = L.DomUtil.create('span');
  element.textContent = text;
  return element;
}
